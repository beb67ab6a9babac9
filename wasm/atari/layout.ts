// The memory map of the core, shared with the host: plain numbers, so that AssemblyScript and TypeScript read the
// same file. The compiler's own static data stays below MAP_BASE; index.ts checks that at start.

/** Of saved states, which hold the state region below: one of another version is refused. 2: with a digest. */
export const STATE_VERSION = 2;

export const MAP_BASE = 0x10000;
export const MAP_END = 0xb0000;

// Everything that a snapshot holds lies between STATE_BEGIN and STATE_END; nothing outside changes after `load`
// except what can be derived from it (WINDOW, PLAYFIELD_LINE, RGB) and the frames kept for their digests.
export const STATE_BEGIN = 0x10000;
export const CPU_STATE = 0x10000;
export const TIA_STATE = 0x10040;
export const RIOT_STATE = 0x10180;
export const CARTRIDGE_STATE = 0x101c0;
export const DPC_STATE = 0x10200;
export const INPUT_STATE = 0x10240;
export const CONSOLE_STATE = 0x102c0;
/** 128 bytes of RIOT RAM. */
export const RAM = 0x10300;
/** Cartridge RAM: at most the 2048 bytes of scheme E7. */
export const CARTRIDGE_RAM = 0x10400;
/** Two Mersenne Twisters of 624 words and an index. */
export const SYSTEM_RANDOM = 0x10c00;
export const ENVIRONMENT_RANDOM = 0x11600;
/**
 * Two pictures of 160-byte rows. 300 rows although at most 256 are shown: after a reset in an unfinished frame
 * the rows above the visible window are drawn as well.
 */
export const PICTURE_A = 0x12000;
export const PICTURE_B = 0x1dc00;
export const STATE_END = 0x29800;

/** The cartridge image. Superchip schemes keep a copy of their RAM in every bank's read port. */
export const ROM = 0x30000;
export const ROM_LIMIT = 0x8000;
/** 4 KB seen at 0x1000-0x1FFF, for schemes that assemble it from slices. */
export const WINDOW = 0x40000;
/** 256 words 0x00BBGGRR by colour register value. */
export const PALETTE = 0x42000;
/** For each colour value 48 bytes: sixteen pixels of it in RGB. */
export const RGB_RUNS = 0x43000;
export const PLAYER_MASKS = 0x46000;
export const MISSILE_MASKS = 0x48000;
/** A mask that shows nothing. */
export const NO_MASK = 0x4b000;
/** One byte a pixel: 0xFF where the playfield is set on the current line. */
export const PLAYFIELD_LINE = 0x4b200;
/** 16 x 0, 16 x 0xFF, 16 x 0: any run of lanes is one unaligned load. */
export const LANES = 0x4b400;
/** Sixteen pixels for each value of four playfield bits: lowest bit first, then highest bit first. */
export const NIBBLES = 0x4b500;
/** Decimal mode: value of a BCD byte, and BCD of a number. */
export const BCD_VALUE = 0x4b800;
export const BCD_OF = 0x4b900;
/** RGB picture, 3 bytes a pixel, rows of 480 bytes. */
export const RGB = 0x50000;

// Digests of four kept frames (digest.ts).
/** Message schedules of five units of three blocks, 1024 bytes each. */
export const SCHEDULES = 0x70000;
/** Four lanes: 64 words of a message, and the state of eight. */
export const SHA_WORDS = 0x74000;
export const SHA_STATE = 0x74400;
/** For each lane 192 bytes: 64 pixels in RGB. A word of slack follows. */
export const EXPANDED = 0x74480;
export const KEPT_RAM = 0x74800;
/** Four digests of RAM and four of the RGB picture, 32 bytes each. */
export const DIGESTS = 0x74a00;
/** The state of the hash before each unit of the picture hashed last, and that picture. */
export const MIDSTATES = 0x74c00;
export const LAST_PICTURE = 0x7a000;
/** Four pictures of PICTURE_BYTES. */
export const KEPT_PICTURES = 0x84000;
/** The largest picture: 256 rows. */
export const PICTURE_BYTES = 0xa000;

export const PICTURE_WIDTH = 160;
export const PICTURE_ROWS = 300;
/** Length of a mask table: two lines of 160 pixels and a vector of slack. */
export const MASK_BYTES = 336;

// Cartridge schemes, as `load` takes them.
export const SCHEME_2K = 0;
export const SCHEME_4K = 1;
export const SCHEME_F8 = 2;
export const SCHEME_F6 = 3;
export const SCHEME_F4 = 4;
export const SCHEME_F8SC = 5;
export const SCHEME_F6SC = 6;
export const SCHEME_F4SC = 7;
export const SCHEME_E0 = 8;
export const SCHEME_FE = 9;
export const SCHEME_DPC = 10;
export const SCHEME_E7 = 11;
export const SCHEME_3F = 12;
export const SCHEME_CV = 13;
export const SCHEME_UA = 14;
export const SCHEME_FASC = 15;
export const SCHEME_F8_SWAPPED = 16;

// Controllers of a jack.
export const CONTROLLER_JOYSTICK = 0;
export const CONTROLLER_PADDLES = 1;

/** The action number that holds the console's RESET switch, and ours for SELECT. */
export const ACTION_RESET = 40;
export const ACTION_SELECT = 41;
/** No event at all: paddles stay where they are. */
export const ACTION_NOOP = 0;

/** A frame call gives up after this many instructions and leaves the frame unfinished. */
export const INSTRUCTIONS_PER_FRAME = 25000;
