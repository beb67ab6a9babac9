/** A JSON value. Records that are stored, hashed or exported are made of these and of nothing else. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
export type JsonObject = { readonly [key: string]: Json };

/** `sha256:` and 64 lowercase hexadecimal digits. */
export type Sha256Id = `sha256:${string}`;
