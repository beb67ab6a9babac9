// The six objects of a pixel and what their meetings set.

// Bits of `tia.enabled`.
export const P0: i32 = 1;
export const M0: i32 = 2;
export const P1: i32 = 4;
export const M1: i32 = 8;
export const BL: i32 = 16;
export const PF: i32 = 32;

// Bits of `tia.collisions`, in the order of the read registers: each register's D7 is the higher bit of a pair.
export const M0_P0: i32 = 1 << 0;
export const M0_P1: i32 = 1 << 1;
export const M1_P1: i32 = 1 << 2;
export const M1_P0: i32 = 1 << 3;
export const P0_BL: i32 = 1 << 4;
export const P0_PF: i32 = 1 << 5;
export const P1_BL: i32 = 1 << 6;
export const P1_PF: i32 = 1 << 7;
export const M0_BL: i32 = 1 << 8;
export const M0_PF: i32 = 1 << 9;
export const M1_BL: i32 = 1 << 10;
export const M1_PF: i32 = 1 << 11;
// Bit 12 stays clear: CXBLPF has no D6.
export const BL_PF: i32 = 1 << 13;
export const M0_M1: i32 = 1 << 14;
export const P0_P1: i32 = 1 << 15;
