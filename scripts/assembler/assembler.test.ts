import { describe, expect, it } from 'vitest';
import { assemble } from './assembler.mjs';

// From the opcode map of the processor: every documented opcode with the bytes of one use.
const DOCUMENTED = `
00 brk | 0112 ora ($12,x) | 0512 ora $12 | 0612 asl $12 | 08 php | 0912 ora #$12 | 0a asl a
0d3412 ora $1234 | 0e3412 asl $1234 | 10fe bpl * | 1112 ora ($12),y | 1512 ora $12,x | 1612 asl $12,x
18 clc | 193412 ora $1234,y | 1d3412 ora $1234,x | 1e3412 asl $1234,x | 203412 jsr $1234
2112 and ($12,x) | 2412 bit $12 | 2512 and $12 | 2612 rol $12 | 28 plp | 2912 and #$12 | 2a rol a
2c3412 bit $1234 | 2d3412 and $1234 | 2e3412 rol $1234 | 30fe bmi * | 3112 and ($12),y | 3512 and $12,x
3612 rol $12,x | 38 sec | 393412 and $1234,y | 3d3412 and $1234,x | 3e3412 rol $1234,x | 40 rti
4112 eor ($12,x) | 4512 eor $12 | 4612 lsr $12 | 48 pha | 4912 eor #$12 | 4a lsr a | 4c3412 jmp $1234
4d3412 eor $1234 | 4e3412 lsr $1234 | 50fe bvc * | 5112 eor ($12),y | 5512 eor $12,x | 5612 lsr $12,x
58 cli | 593412 eor $1234,y | 5d3412 eor $1234,x | 5e3412 lsr $1234,x | 60 rts | 6112 adc ($12,x)
6512 adc $12 | 6612 ror $12 | 68 pla | 6912 adc #$12 | 6a ror a | 6c3412 jmp ($1234) | 6d3412 adc $1234
6e3412 ror $1234 | 70fe bvs * | 7112 adc ($12),y | 7512 adc $12,x | 7612 ror $12,x | 78 sei
793412 adc $1234,y | 7d3412 adc $1234,x | 7e3412 ror $1234,x | 8112 sta ($12,x) | 8412 sty $12
8512 sta $12 | 8612 stx $12 | 88 dey | 8a txa | 8c3412 sty $1234 | 8d3412 sta $1234 | 8e3412 stx $1234
90fe bcc * | 9112 sta ($12),y | 9412 sty $12,x | 9512 sta $12,x | 9612 stx $12,y | 98 tya
993412 sta $1234,y | 9a txs | 9d3412 sta $1234,x | a012 ldy #$12 | a112 lda ($12,x) | a212 ldx #$12
a412 ldy $12 | a512 lda $12 | a612 ldx $12 | a8 tay | a912 lda #$12 | aa tax | ac3412 ldy $1234
ad3412 lda $1234 | ae3412 ldx $1234 | b0fe bcs * | b112 lda ($12),y | b412 ldy $12,x | b512 lda $12,x
b612 ldx $12,y | b8 clv | b93412 lda $1234,y | ba tsx | bc3412 ldy $1234,x | bd3412 lda $1234,x
be3412 ldx $1234,y | c012 cpy #$12 | c112 cmp ($12,x) | c412 cpy $12 | c512 cmp $12 | c612 dec $12
c8 iny | c912 cmp #$12 | ca dex | cc3412 cpy $1234 | cd3412 cmp $1234 | ce3412 dec $1234 | d0fe bne *
d112 cmp ($12),y | d512 cmp $12,x | d612 dec $12,x | d8 cld | d93412 cmp $1234,y | dd3412 cmp $1234,x
de3412 dec $1234,x | e012 cpx #$12 | e112 sbc ($12,x) | e412 cpx $12 | e512 sbc $12 | e612 inc $12
e8 inx | e912 sbc #$12 | ea nop | ec3412 cpx $1234 | ed3412 sbc $1234 | ee3412 inc $1234 | f0fe beq *
f112 sbc ($12),y | f512 sbc $12,x | f612 inc $12,x | f8 sed | f93412 sbc $1234,y | fd3412 sbc $1234,x
fe3412 inc $1234,x
`;

const hex = (source: string) => Buffer.from(assemble(source).bytes).toString('hex');

describe('the assembler', () => {
  it('knows the 151 documented opcodes', () => {
    const uses = DOCUMENTED.trim().split(/\n| [|] /);
    expect(uses).toHaveLength(151);
    for (const use of uses) {
      const [bytes, ...statement] = use.split(' ');
      expect([use, hex(statement.join(' '))]).toEqual([use, bytes]);
    }
  });

  it('computes expressions', () => {
    expect(hex(" .byte 16 + 2 * 3, <$1234, >$1234, %101, 'A', -1, ~0 & $f, 1 << 4 | 1, 7 / 2, (1+2)*3")).toBe(
      '1634120541ff0f110309',
    );
    expect(hex(" .word 1, *, later\nlater: .byte ';', ',' ; text")).toBe('0100000006003b2c');
  });

  it('places, fills and names', () => {
    const { bytes, start, names } = assemble(
      'here = $f000\n .org here\none: .byte 1\n .org here + 4\ntwo: .byte 2',
    );
    expect([start, [...bytes], names.get('one'), names.get('two')]).toEqual([
      0xf000,
      [1, 255, 255, 255, 2],
      0xf000,
      0xf004,
    ]);
    expect(assemble('; nothing')).toMatchObject({ start: 0, bytes: new Uint8Array() });
  });

  it('branches both ways, to labels that belong to the one before', () => {
    expect(hex('x: dex\n@loop: bne @done\n beq @loop\n@done: rts\ny: nop\n@loop: bne @loop')).toBe(
      'cad002f0fc60ead0fe',
    );
  });

  it('takes zero page where it can: also for names that come later, unless told otherwise', () => {
    expect(hex(' lda later\n lda.w later\n sta later,y\nlater = $12')).toBe('a512ad1200991200');
  });

  it.each([
    ['lda', 'LDA has no such addressing mode'],
    ['sta #1', 'STA has no such addressing mode'],
    ['hop 1', 'hop is neither an instruction nor a directive'],
    ['lda nowhere', 'the name nowhere has no value'],
    ['a: nop\na: nop', 'line 2: the name a is defined twice'],
    ['.byte 256', '256 is not between -128 and 255'],
    ['.word 65536', '65536 is not between'],
    ['lda #300', '300 is not between'],
    ['bne far\n.org 200\nfar: nop', 'line 1: 198 is not between -128 and 127'],
    ['nop\n.org 0\nnop', 'the address 0 is filled twice'],
    ['.org later\nlater = 5', '.org needs a value'],
    ['lda (1', 'a closing parenthesis is missing'],
    ['lda 1 +', 'ends too early'],
    ['lda 1 2', 'is not an expression'],
    ['lda 1 + ?', 'is not an expression'],
    ['lda / 2', '"/" cannot stand there'],
    ['.org $fe\nloop: nop\nnop\nnop\n.samepage loop', 'loop lies in another page'],
  ])('refuses %j', (source, message) => {
    expect(() => assemble(source)).toThrow(message);
  });
});
