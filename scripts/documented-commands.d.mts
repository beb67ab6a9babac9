export function pages(): string[];
export function linesOf(mark: string): { page: string; line: string }[];
export function documentedCommands(): string[];
