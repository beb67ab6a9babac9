// The 151 documented opcodes of the 6502, each with its addressing mode. Modes: imp implied, acc accumulator, imm
// immediate, zp zero page, zpx and zpy indexed zero page, abs absolute, abx and aby indexed absolute, ind indirect,
// izx (zp,X), izy (zp),Y, rel relative.
const TABLE = `
ADC imm 69 zp 65 zpx 75 abs 6d abx 7d aby 79 izx 61 izy 71
AND imm 29 zp 25 zpx 35 abs 2d abx 3d aby 39 izx 21 izy 31
ASL acc 0a zp 06 zpx 16 abs 0e abx 1e
BCC rel 90
BCS rel b0
BEQ rel f0
BIT zp 24 abs 2c
BMI rel 30
BNE rel d0
BPL rel 10
BRK imp 00
BVC rel 50
BVS rel 70
CLC imp 18
CLD imp d8
CLI imp 58
CLV imp b8
CMP imm c9 zp c5 zpx d5 abs cd abx dd aby d9 izx c1 izy d1
CPX imm e0 zp e4 abs ec
CPY imm c0 zp c4 abs cc
DEC zp c6 zpx d6 abs ce abx de
DEX imp ca
DEY imp 88
EOR imm 49 zp 45 zpx 55 abs 4d abx 5d aby 59 izx 41 izy 51
INC zp e6 zpx f6 abs ee abx fe
INX imp e8
INY imp c8
JMP abs 4c ind 6c
JSR abs 20
LDA imm a9 zp a5 zpx b5 abs ad abx bd aby b9 izx a1 izy b1
LDX imm a2 zp a6 zpy b6 abs ae aby be
LDY imm a0 zp a4 zpx b4 abs ac abx bc
LSR acc 4a zp 46 zpx 56 abs 4e abx 5e
NOP imp ea
ORA imm 09 zp 05 zpx 15 abs 0d abx 1d aby 19 izx 01 izy 11
PHA imp 48
PHP imp 08
PLA imp 68
PLP imp 28
ROL acc 2a zp 26 zpx 36 abs 2e abx 3e
ROR acc 6a zp 66 zpx 76 abs 6e abx 7e
RTI imp 40
RTS imp 60
SBC imm e9 zp e5 zpx f5 abs ed abx fd aby f9 izx e1 izy f1
SEC imp 38
SED imp f8
SEI imp 78
STA zp 85 zpx 95 abs 8d abx 9d aby 99 izx 81 izy 91
STX zp 86 zpy 96 abs 8e
STY zp 84 zpx 94 abs 8c
TAX imp aa
TAY imp a8
TSX imp ba
TXA imp 8a
TXS imp 9a
TYA imp 98
`;

/** Mnemonic in upper case, to addressing mode, to opcode. */
export const OPCODES = new Map(
  TABLE.trim()
    .split('\n')
    .map((line) => {
      const [mnemonic, ...pairs] = line.split(' ');
      const modes = new Map();
      for (let i = 0; i < pairs.length; i += 2) modes.set(pairs[i], Number.parseInt(pairs[i + 1], 16));
      return [mnemonic, modes];
    }),
);
