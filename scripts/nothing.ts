// Stands for a module of Node's that a library names and does not use in a browser.
export {};
