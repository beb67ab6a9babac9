// The 6507. Registers live in locals while `run` runs. Timing is by instruction: an opcode's cycles are added as soon as
// it is fetched, so every operand access sees the clock of the instruction's end. There are no dummy accesses.
import { adc, arr, sbc } from './alu';
import { pointer, pull, push, read, readZero, write, writeZero } from './bus';
import { CYCLES, LENGTHS } from './opcodes';
import { cartridge, cpu, machine } from './state';

/** Status as pushed: B and bit 5 always read 1. */
function status(nz: i32, overflow: i32, decimal: i32, interrupt: i32, carry: i32): i32 {
  const n = nz & 0x180 ? 0x80 : 0;
  const z = nz & 0xff ? 0 : 2;
  return 0x30 | n | (overflow << 6) | (decimal << 3) | (interrupt << 2) | z | carry;
}

/** The N and Z of a status byte in the form `nz` keeps: N in bit 7 or 8, Z when the low byte is 0. */
@inline
function unpackNz(p: i32): i32 {
  return (p & 0x80 ? 0x100 : 0) | (p & 2 ? 0 : 1);
}

export function resetCpu(): void {
  cpu.a = 0;
  cpu.x = 0;
  cpu.y = 0;
  cpu.sp = 0xff;
  cpu.nz = 1;
  cpu.carry = 0;
  cpu.overflow = 0;
  cpu.decimal = 0;
  cpu.interrupt = 0;
  cpu.jammed = 0;
  const low = read(0xfffc, 0, 0);
  cpu.bus = read(0xfffd, 0, low);
  cpu.pc = low | (cpu.bus << 8);
}

/** Runs at most `limit` instructions, until `machine.stop`. */
export function run(limit: i32): void {
  let pc = cpu.pc;
  let a = cpu.a;
  let x = cpu.x;
  let y = cpu.y;
  let sp = cpu.sp;
  let nz = cpu.nz;
  let carry = cpu.carry;
  let overflow = cpu.overflow;
  let decimal = cpu.decimal;
  let interrupt = cpu.interrupt;
  let cycles = cpu.cycles;
  let bus = cpu.bus;
  let jammed = cpu.jammed;
  if (jammed) return;
  do {
    let op: i32;
    let o1: i32;
    let word: i32;
    let t = pc & 0x1fff;
    if (<u32>(t - cartridge.fastStart) < <u32>cartridge.fastCode) {
      // Opcode and operands in one load; what lies beyond the instruction is loaded but not used.
      word = load<u32>(cartridge.base + t);
      op = word & 0xff;
      word = (word >>> 8) & 0xffff;
      o1 = word & 0xff;
      bus = op;
      t = load<u8>(LENGTHS + op);
      if (t == 3) bus = word >> 8;
      else if (t == 2) bus = o1;
      cycles += load<u8>(CYCLES + op);
    } else {
      op = read(pc, cycles, bus);
      bus = op;
      cycles += load<u8>(CYCLES + op);
      t = load<u8>(LENGTHS + op);
      o1 = 0;
      word = 0;
      if (t > 1) {
        o1 = read((pc + 1) & 0xffff, cycles, bus);
        word = o1;
        bus = o1;
      }
      if (t > 2) {
        bus = read((pc + 2) & 0xffff, cycles, bus);
        word |= bus << 8;
      }
    }
    pc = (pc + t) & 0xffff;
    switch (op) {
      case 0x00: cycles = push(sp, pc >> 8, cycles, 1); cycles = push((sp - 1) & 0xff, pc & 0xff, cycles, 0); bus = status(nz, overflow, decimal, interrupt, carry); cycles = push((sp - 2) & 0xff, bus, cycles, 0); sp = (sp - 3) & 0xff; interrupt = 1; t = read(0xfffe, cycles, bus); bus = read(0xffff, cycles, t); pc = t | (bus << 8); break; // BRK
      case 0x01: t = pointer((o1 + x) & 0xff, cycles, o1); bus = read(t, cycles, t >> 8); nz = a |= bus; break; // ORA izx
      case 0x02: jammed = 1; break; // KIL
      case 0x03: word = pointer((o1 + x) & 0xff, cycles, o1); bus = read(word, cycles, word >> 8); carry = bus >> 7; nz = bus = (bus << 1) & 0xff; cycles = write(word, bus, cycles); nz = a |= bus; break; // SLO izx
      case 0x04: bus = readZero(o1, cycles, o1); break; // NOP zp
      case 0x05: bus = readZero(o1, cycles, o1); nz = a |= bus; break; // ORA zp
      case 0x06: bus = readZero(o1, cycles, o1); carry = bus >> 7; nz = bus = (bus << 1) & 0xff; cycles = writeZero(o1, bus, cycles); break; // ASL zp
      case 0x07: bus = readZero(o1, cycles, o1); carry = bus >> 7; nz = bus = (bus << 1) & 0xff; cycles = writeZero(o1, bus, cycles); nz = a |= bus; break; // SLO zp
      case 0x08: bus = status(nz, overflow, decimal, interrupt, carry); cycles = push(sp, bus, cycles, 1); sp = (sp - 1) & 0xff; break; // PHP
      case 0x09: bus = o1; nz = a |= bus; break; // ORA imm
      case 0x0a: carry = a >> 7; nz = a = (a << 1) & 0xff; break; // ASL
      case 0x0b: bus = o1; nz = a &= bus; carry = a >> 7; break; // ANC imm
      case 0x0c: bus = read(word, cycles, word >> 8); break; // NOP abs
      case 0x0d: bus = read(word, cycles, word >> 8); nz = a |= bus; break; // ORA abs
      case 0x0e: bus = read(word, cycles, word >> 8); carry = bus >> 7; nz = bus = (bus << 1) & 0xff; cycles = write(word, bus, cycles); break; // ASL abs
      case 0x0f: bus = read(word, cycles, word >> 8); carry = bus >> 7; nz = bus = (bus << 1) & 0xff; cycles = write(word, bus, cycles); nz = a |= bus; break; // SLO abs
      case 0x10: if (!(nz & 0x180)) { t = (pc + ((o1 << 24) >> 24)) & 0xffff; cycles += 1 + i32((t ^ pc) > 0xff); pc = t; } break; // BPL rel
      case 0x11: word = pointer(o1, cycles, o1); t = word + y; cycles += ((t ^ word) >> 8) & 1; bus = read(t & 0xffff, cycles, word >> 8); nz = a |= bus; break; // ORA izy
      case 0x12: jammed = 1; break; // KIL
      case 0x13: word = pointer(o1, cycles, o1); bus = read((word + y) & 0xffff, cycles, word >> 8); carry = bus >> 7; nz = bus = (bus << 1) & 0xff; cycles = write((word + y) & 0xffff, bus, cycles); nz = a |= bus; break; // SLO izy
      case 0x14: bus = readZero((o1 + x) & 0xff, cycles, o1); break; // NOP zpx
      case 0x15: bus = readZero((o1 + x) & 0xff, cycles, o1); nz = a |= bus; break; // ORA zpx
      case 0x16: word = (o1 + x) & 0xff; bus = readZero(word, cycles, o1); carry = bus >> 7; nz = bus = (bus << 1) & 0xff; cycles = writeZero(word, bus, cycles); break; // ASL zpx
      case 0x17: word = (o1 + x) & 0xff; bus = readZero(word, cycles, o1); carry = bus >> 7; nz = bus = (bus << 1) & 0xff; cycles = writeZero(word, bus, cycles); nz = a |= bus; break; // SLO zpx
      case 0x18: carry = 0; break; // CLC
      case 0x19: t = word + y; cycles += ((t ^ word) >> 8) & 1; bus = read(t & 0xffff, cycles, word >> 8); nz = a |= bus; break; // ORA aby
      case 0x1a: break; // NOP
      case 0x1b: bus = read((word + y) & 0xffff, cycles, word >> 8); carry = bus >> 7; nz = bus = (bus << 1) & 0xff; cycles = write((word + y) & 0xffff, bus, cycles); nz = a |= bus; break; // SLO aby
      case 0x1c: t = word + x; cycles += ((t ^ word) >> 8) & 1; bus = read(t & 0xffff, cycles, word >> 8); break; // NOP abx
      case 0x1d: t = word + x; cycles += ((t ^ word) >> 8) & 1; bus = read(t & 0xffff, cycles, word >> 8); nz = a |= bus; break; // ORA abx
      case 0x1e: bus = read((word + x) & 0xffff, cycles, word >> 8); carry = bus >> 7; nz = bus = (bus << 1) & 0xff; cycles = write((word + x) & 0xffff, bus, cycles); break; // ASL abx
      case 0x1f: bus = read((word + x) & 0xffff, cycles, word >> 8); carry = bus >> 7; nz = bus = (bus << 1) & 0xff; cycles = write((word + x) & 0xffff, bus, cycles); nz = a |= bus; break; // SLO abx
      case 0x20: pull(sp, cycles, o1); cycles = push(sp, pc >> 8, cycles, 1); bus = pc & 0xff; cycles = push((sp - 1) & 0xff, bus, cycles, 0); sp = (sp - 2) & 0xff; bus = read(pc, cycles, bus); pc = o1 | (bus << 8); break; // JSR abs
      case 0x21: t = pointer((o1 + x) & 0xff, cycles, o1); bus = read(t, cycles, t >> 8); nz = a &= bus; break; // AND izx
      case 0x22: jammed = 1; break; // KIL
      case 0x23: word = pointer((o1 + x) & 0xff, cycles, o1); bus = read(word, cycles, word >> 8); t = (bus << 1) | carry; carry = t >> 8; nz = bus = t & 0xff; cycles = write(word, bus, cycles); nz = a &= bus; break; // RLA izx
      case 0x24: bus = readZero(o1, cycles, o1); overflow = (bus >> 6) & 1; nz = (a & bus) | ((bus & 0x80) << 1); break; // BIT zp
      case 0x25: bus = readZero(o1, cycles, o1); nz = a &= bus; break; // AND zp
      case 0x26: bus = readZero(o1, cycles, o1); t = (bus << 1) | carry; carry = t >> 8; nz = bus = t & 0xff; cycles = writeZero(o1, bus, cycles); break; // ROL zp
      case 0x27: bus = readZero(o1, cycles, o1); t = (bus << 1) | carry; carry = t >> 8; nz = bus = t & 0xff; cycles = writeZero(o1, bus, cycles); nz = a &= bus; break; // RLA zp
      case 0x28: bus = pull(sp, cycles, bus); sp = (sp + 1) & 0xff; bus = pull(sp, cycles, bus); t = bus; nz = unpackNz(t); overflow = (t >> 6) & 1; decimal = (t >> 3) & 1; interrupt = (t >> 2) & 1; carry = t & 1; break; // PLP
      case 0x29: bus = o1; nz = a &= bus; break; // AND imm
      case 0x2a: t = (a << 1) | carry; carry = t >> 8; nz = a = t & 0xff; break; // ROL
      case 0x2b: bus = o1; nz = a &= bus; carry = a >> 7; break; // ANC imm
      case 0x2c: bus = read(word, cycles, word >> 8); overflow = (bus >> 6) & 1; nz = (a & bus) | ((bus & 0x80) << 1); break; // BIT abs
      case 0x2d: bus = read(word, cycles, word >> 8); nz = a &= bus; break; // AND abs
      case 0x2e: bus = read(word, cycles, word >> 8); t = (bus << 1) | carry; carry = t >> 8; nz = bus = t & 0xff; cycles = write(word, bus, cycles); break; // ROL abs
      case 0x2f: bus = read(word, cycles, word >> 8); t = (bus << 1) | carry; carry = t >> 8; nz = bus = t & 0xff; cycles = write(word, bus, cycles); nz = a &= bus; break; // RLA abs
      case 0x30: if (nz & 0x180) { t = (pc + ((o1 << 24) >> 24)) & 0xffff; cycles += 1 + i32((t ^ pc) > 0xff); pc = t; } break; // BMI rel
      case 0x31: word = pointer(o1, cycles, o1); t = word + y; cycles += ((t ^ word) >> 8) & 1; bus = read(t & 0xffff, cycles, word >> 8); nz = a &= bus; break; // AND izy
      case 0x32: jammed = 1; break; // KIL
      case 0x33: word = pointer(o1, cycles, o1); bus = read((word + y) & 0xffff, cycles, word >> 8); t = (bus << 1) | carry; carry = t >> 8; nz = bus = t & 0xff; cycles = write((word + y) & 0xffff, bus, cycles); nz = a &= bus; break; // RLA izy
      case 0x34: bus = readZero((o1 + x) & 0xff, cycles, o1); break; // NOP zpx
      case 0x35: bus = readZero((o1 + x) & 0xff, cycles, o1); nz = a &= bus; break; // AND zpx
      case 0x36: word = (o1 + x) & 0xff; bus = readZero(word, cycles, o1); t = (bus << 1) | carry; carry = t >> 8; nz = bus = t & 0xff; cycles = writeZero(word, bus, cycles); break; // ROL zpx
      case 0x37: word = (o1 + x) & 0xff; bus = readZero(word, cycles, o1); t = (bus << 1) | carry; carry = t >> 8; nz = bus = t & 0xff; cycles = writeZero(word, bus, cycles); nz = a &= bus; break; // RLA zpx
      case 0x38: carry = 1; break; // SEC
      case 0x39: t = word + y; cycles += ((t ^ word) >> 8) & 1; bus = read(t & 0xffff, cycles, word >> 8); nz = a &= bus; break; // AND aby
      case 0x3a: break; // NOP
      case 0x3b: bus = read((word + y) & 0xffff, cycles, word >> 8); t = (bus << 1) | carry; carry = t >> 8; nz = bus = t & 0xff; cycles = write((word + y) & 0xffff, bus, cycles); nz = a &= bus; break; // RLA aby
      case 0x3c: t = word + x; cycles += ((t ^ word) >> 8) & 1; bus = read(t & 0xffff, cycles, word >> 8); break; // NOP abx
      case 0x3d: t = word + x; cycles += ((t ^ word) >> 8) & 1; bus = read(t & 0xffff, cycles, word >> 8); nz = a &= bus; break; // AND abx
      case 0x3e: bus = read((word + x) & 0xffff, cycles, word >> 8); t = (bus << 1) | carry; carry = t >> 8; nz = bus = t & 0xff; cycles = write((word + x) & 0xffff, bus, cycles); break; // ROL abx
      case 0x3f: bus = read((word + x) & 0xffff, cycles, word >> 8); t = (bus << 1) | carry; carry = t >> 8; nz = bus = t & 0xff; cycles = write((word + x) & 0xffff, bus, cycles); nz = a &= bus; break; // RLA abx
      case 0x40: bus = pull(sp, cycles, bus); t = pull((sp + 1) & 0xff, cycles, bus); nz = unpackNz(t); overflow = (t >> 6) & 1; decimal = (t >> 3) & 1; interrupt = (t >> 2) & 1; carry = t & 1; bus = pull((sp + 2) & 0xff, cycles, t); sp = (sp + 3) & 0xff; t = bus; bus = pull(sp, cycles, t); pc = t | (bus << 8); break; // RTI
      case 0x41: t = pointer((o1 + x) & 0xff, cycles, o1); bus = read(t, cycles, t >> 8); nz = a ^= bus; break; // EOR izx
      case 0x42: jammed = 1; break; // KIL
      case 0x43: word = pointer((o1 + x) & 0xff, cycles, o1); bus = read(word, cycles, word >> 8); carry = bus & 1; nz = bus >>= 1; cycles = write(word, bus, cycles); nz = a ^= bus; break; // SRE izx
      case 0x44: bus = readZero(o1, cycles, o1); break; // NOP zp
      case 0x45: bus = readZero(o1, cycles, o1); nz = a ^= bus; break; // EOR zp
      case 0x46: bus = readZero(o1, cycles, o1); carry = bus & 1; nz = bus >>= 1; cycles = writeZero(o1, bus, cycles); break; // LSR zp
      case 0x47: bus = readZero(o1, cycles, o1); carry = bus & 1; nz = bus >>= 1; cycles = writeZero(o1, bus, cycles); nz = a ^= bus; break; // SRE zp
      case 0x48: bus = a; cycles = push(sp, a, cycles, 1); sp = (sp - 1) & 0xff; break; // PHA
      case 0x49: bus = o1; nz = a ^= bus; break; // EOR imm
      case 0x4a: carry = a & 1; nz = a >>= 1; break; // LSR
      case 0x4b: bus = o1; t = a & bus; carry = t & 1; nz = a = t >> 1; break; // ASR imm
      case 0x4c: pc = word; break; // JMP abs
      case 0x4d: bus = read(word, cycles, word >> 8); nz = a ^= bus; break; // EOR abs
      case 0x4e: bus = read(word, cycles, word >> 8); carry = bus & 1; nz = bus >>= 1; cycles = write(word, bus, cycles); break; // LSR abs
      case 0x4f: bus = read(word, cycles, word >> 8); carry = bus & 1; nz = bus >>= 1; cycles = write(word, bus, cycles); nz = a ^= bus; break; // SRE abs
      case 0x50: if (!overflow) { t = (pc + ((o1 << 24) >> 24)) & 0xffff; cycles += 1 + i32((t ^ pc) > 0xff); pc = t; } break; // BVC rel
      case 0x51: word = pointer(o1, cycles, o1); t = word + y; cycles += ((t ^ word) >> 8) & 1; bus = read(t & 0xffff, cycles, word >> 8); nz = a ^= bus; break; // EOR izy
      case 0x52: jammed = 1; break; // KIL
      case 0x53: word = pointer(o1, cycles, o1); bus = read((word + y) & 0xffff, cycles, word >> 8); carry = bus & 1; nz = bus >>= 1; cycles = write((word + y) & 0xffff, bus, cycles); nz = a ^= bus; break; // SRE izy
      case 0x54: bus = readZero((o1 + x) & 0xff, cycles, o1); break; // NOP zpx
      case 0x55: bus = readZero((o1 + x) & 0xff, cycles, o1); nz = a ^= bus; break; // EOR zpx
      case 0x56: word = (o1 + x) & 0xff; bus = readZero(word, cycles, o1); carry = bus & 1; nz = bus >>= 1; cycles = writeZero(word, bus, cycles); break; // LSR zpx
      case 0x57: word = (o1 + x) & 0xff; bus = readZero(word, cycles, o1); carry = bus & 1; nz = bus >>= 1; cycles = writeZero(word, bus, cycles); nz = a ^= bus; break; // SRE zpx
      case 0x58: interrupt = 0; break; // CLI
      case 0x59: t = word + y; cycles += ((t ^ word) >> 8) & 1; bus = read(t & 0xffff, cycles, word >> 8); nz = a ^= bus; break; // EOR aby
      case 0x5a: break; // NOP
      case 0x5b: bus = read((word + y) & 0xffff, cycles, word >> 8); carry = bus & 1; nz = bus >>= 1; cycles = write((word + y) & 0xffff, bus, cycles); nz = a ^= bus; break; // SRE aby
      case 0x5c: t = word + x; cycles += ((t ^ word) >> 8) & 1; bus = read(t & 0xffff, cycles, word >> 8); break; // NOP abx
      case 0x5d: t = word + x; cycles += ((t ^ word) >> 8) & 1; bus = read(t & 0xffff, cycles, word >> 8); nz = a ^= bus; break; // EOR abx
      case 0x5e: bus = read((word + x) & 0xffff, cycles, word >> 8); carry = bus & 1; nz = bus >>= 1; cycles = write((word + x) & 0xffff, bus, cycles); break; // LSR abx
      case 0x5f: bus = read((word + x) & 0xffff, cycles, word >> 8); carry = bus & 1; nz = bus >>= 1; cycles = write((word + x) & 0xffff, bus, cycles); nz = a ^= bus; break; // SRE abx
      case 0x60: bus = pull(sp, cycles, bus); t = pull((sp + 1) & 0xff, cycles, bus); sp = (sp + 2) & 0xff; bus = pull(sp, cycles, t); pc = t | (bus << 8); bus = read(pc, cycles, bus); pc = (pc + 1) & 0xffff; break; // RTS
      case 0x61: t = pointer((o1 + x) & 0xff, cycles, o1); bus = read(t, cycles, t >> 8); t = adc(a, bus, carry, decimal); nz = a = t & 0xff; carry = (t >> 8) & 1; overflow = t >> 9; break; // ADC izx
      case 0x62: jammed = 1; break; // KIL
      case 0x63: word = pointer((o1 + x) & 0xff, cycles, o1); bus = read(word, cycles, word >> 8); t = bus | (carry << 8); carry = bus & 1; nz = bus = t >> 1; cycles = write(word, bus, cycles); t = adc(a, bus, carry, decimal); nz = a = t & 0xff; carry = (t >> 8) & 1; overflow = t >> 9; break; // RRA izx
      case 0x64: bus = readZero(o1, cycles, o1); break; // NOP zp
      case 0x65: bus = readZero(o1, cycles, o1); t = adc(a, bus, carry, decimal); nz = a = t & 0xff; carry = (t >> 8) & 1; overflow = t >> 9; break; // ADC zp
      case 0x66: bus = readZero(o1, cycles, o1); t = bus | (carry << 8); carry = bus & 1; nz = bus = t >> 1; cycles = writeZero(o1, bus, cycles); break; // ROR zp
      case 0x67: bus = readZero(o1, cycles, o1); t = bus | (carry << 8); carry = bus & 1; nz = bus = t >> 1; cycles = writeZero(o1, bus, cycles); t = adc(a, bus, carry, decimal); nz = a = t & 0xff; carry = (t >> 8) & 1; overflow = t >> 9; break; // RRA zp
      case 0x68: bus = pull(sp, cycles, bus); sp = (sp + 1) & 0xff; bus = pull(sp, cycles, bus); nz = a = bus; break; // PLA
      case 0x69: bus = o1; t = adc(a, bus, carry, decimal); nz = a = t & 0xff; carry = (t >> 8) & 1; overflow = t >> 9; break; // ADC imm
      case 0x6a: t = a | (carry << 8); carry = a & 1; nz = a = t >> 1; break; // ROR
      case 0x6b: bus = o1; nz = ((a & bus) >> 1) | (carry << 7); t = arr(a, bus, carry, decimal); a = t & 0xff; carry = (t >> 8) & 1; overflow = t >> 9; break; // ARR imm
      case 0x6c: bus = read(word, cycles, word >> 8); t = read((word & 0xff00) | ((word + 1) & 0xff), cycles, bus); pc = bus | (t << 8); bus = t; break; // JMP ind
      case 0x6d: bus = read(word, cycles, word >> 8); t = adc(a, bus, carry, decimal); nz = a = t & 0xff; carry = (t >> 8) & 1; overflow = t >> 9; break; // ADC abs
      case 0x6e: bus = read(word, cycles, word >> 8); t = bus | (carry << 8); carry = bus & 1; nz = bus = t >> 1; cycles = write(word, bus, cycles); break; // ROR abs
      case 0x6f: bus = read(word, cycles, word >> 8); t = bus | (carry << 8); carry = bus & 1; nz = bus = t >> 1; cycles = write(word, bus, cycles); t = adc(a, bus, carry, decimal); nz = a = t & 0xff; carry = (t >> 8) & 1; overflow = t >> 9; break; // RRA abs
      case 0x70: if (overflow) { t = (pc + ((o1 << 24) >> 24)) & 0xffff; cycles += 1 + i32((t ^ pc) > 0xff); pc = t; } break; // BVS rel
      case 0x71: word = pointer(o1, cycles, o1); t = word + y; cycles += ((t ^ word) >> 8) & 1; bus = read(t & 0xffff, cycles, word >> 8); t = adc(a, bus, carry, decimal); nz = a = t & 0xff; carry = (t >> 8) & 1; overflow = t >> 9; break; // ADC izy
      case 0x72: jammed = 1; break; // KIL
      case 0x73: word = pointer(o1, cycles, o1); bus = read((word + y) & 0xffff, cycles, word >> 8); t = bus | (carry << 8); carry = bus & 1; nz = bus = t >> 1; cycles = write((word + y) & 0xffff, bus, cycles); t = adc(a, bus, carry, decimal); nz = a = t & 0xff; carry = (t >> 8) & 1; overflow = t >> 9; break; // RRA izy
      case 0x74: bus = readZero((o1 + x) & 0xff, cycles, o1); break; // NOP zpx
      case 0x75: bus = readZero((o1 + x) & 0xff, cycles, o1); t = adc(a, bus, carry, decimal); nz = a = t & 0xff; carry = (t >> 8) & 1; overflow = t >> 9; break; // ADC zpx
      case 0x76: word = (o1 + x) & 0xff; bus = readZero(word, cycles, o1); t = bus | (carry << 8); carry = bus & 1; nz = bus = t >> 1; cycles = writeZero(word, bus, cycles); break; // ROR zpx
      case 0x77: word = (o1 + x) & 0xff; bus = readZero(word, cycles, o1); t = bus | (carry << 8); carry = bus & 1; nz = bus = t >> 1; cycles = writeZero(word, bus, cycles); t = adc(a, bus, carry, decimal); nz = a = t & 0xff; carry = (t >> 8) & 1; overflow = t >> 9; break; // RRA zpx
      case 0x78: interrupt = 1; break; // SEI
      case 0x79: t = word + y; cycles += ((t ^ word) >> 8) & 1; bus = read(t & 0xffff, cycles, word >> 8); t = adc(a, bus, carry, decimal); nz = a = t & 0xff; carry = (t >> 8) & 1; overflow = t >> 9; break; // ADC aby
      case 0x7a: break; // NOP
      case 0x7b: bus = read((word + y) & 0xffff, cycles, word >> 8); t = bus | (carry << 8); carry = bus & 1; nz = bus = t >> 1; cycles = write((word + y) & 0xffff, bus, cycles); t = adc(a, bus, carry, decimal); nz = a = t & 0xff; carry = (t >> 8) & 1; overflow = t >> 9; break; // RRA aby
      case 0x7c: t = word + x; cycles += ((t ^ word) >> 8) & 1; bus = read(t & 0xffff, cycles, word >> 8); break; // NOP abx
      case 0x7d: t = word + x; cycles += ((t ^ word) >> 8) & 1; bus = read(t & 0xffff, cycles, word >> 8); t = adc(a, bus, carry, decimal); nz = a = t & 0xff; carry = (t >> 8) & 1; overflow = t >> 9; break; // ADC abx
      case 0x7e: bus = read((word + x) & 0xffff, cycles, word >> 8); t = bus | (carry << 8); carry = bus & 1; nz = bus = t >> 1; cycles = write((word + x) & 0xffff, bus, cycles); break; // ROR abx
      case 0x7f: bus = read((word + x) & 0xffff, cycles, word >> 8); t = bus | (carry << 8); carry = bus & 1; nz = bus = t >> 1; cycles = write((word + x) & 0xffff, bus, cycles); t = adc(a, bus, carry, decimal); nz = a = t & 0xff; carry = (t >> 8) & 1; overflow = t >> 9; break; // RRA abx
      case 0x80: bus = o1; break; // NOP imm
      case 0x81: t = pointer((o1 + x) & 0xff, cycles, o1); bus = a; cycles = write(t, bus, cycles); break; // STA izx
      case 0x82: bus = o1; break; // NOP imm
      case 0x83: t = pointer((o1 + x) & 0xff, cycles, o1); bus = a & x; cycles = write(t, bus, cycles); break; // SAX izx
      case 0x84: bus = y; cycles = writeZero(o1, bus, cycles); break; // STY zp
      case 0x85: bus = a; cycles = writeZero(o1, bus, cycles); break; // STA zp
      case 0x86: bus = x; cycles = writeZero(o1, bus, cycles); break; // STX zp
      case 0x87: bus = a & x; cycles = writeZero(o1, bus, cycles); break; // SAX zp
      case 0x88: nz = y = (y - 1) & 0xff; break; // DEY
      case 0x89: bus = o1; break; // NOP imm
      case 0x8a: nz = a = x; break; // TXA
      case 0x8b: bus = o1; nz = a = (a | 0xee) & x & bus; break; // ANE imm
      case 0x8c: bus = y; cycles = write(word, bus, cycles); break; // STY abs
      case 0x8d: bus = a; cycles = write(word, bus, cycles); break; // STA abs
      case 0x8e: bus = x; cycles = write(word, bus, cycles); break; // STX abs
      case 0x8f: bus = a & x; cycles = write(word, bus, cycles); break; // SAX abs
      case 0x90: if (!carry) { t = (pc + ((o1 << 24) >> 24)) & 0xffff; cycles += 1 + i32((t ^ pc) > 0xff); pc = t; } break; // BCC rel
      case 0x91: t = (pointer(o1, cycles, o1) + y) & 0xffff; bus = a; cycles = write(t, bus, cycles); break; // STA izy
      case 0x92: jammed = 1; break; // KIL
      case 0x93: t = (pointer(o1, cycles, o1) + y) & 0xffff; bus = a & x & ((t >> 8) + 1) & 0xff; cycles = write(t, bus, cycles); break; // SHA izy
      case 0x94: bus = y; cycles = writeZero((o1 + x) & 0xff, bus, cycles); break; // STY zpx
      case 0x95: bus = a; cycles = writeZero((o1 + x) & 0xff, bus, cycles); break; // STA zpx
      case 0x96: bus = x; cycles = writeZero((o1 + y) & 0xff, bus, cycles); break; // STX zpy
      case 0x97: bus = a & x; cycles = writeZero((o1 + y) & 0xff, bus, cycles); break; // SAX zpy
      case 0x98: nz = a = y; break; // TYA
      case 0x99: bus = a; cycles = write((word + y) & 0xffff, bus, cycles); break; // STA aby
      case 0x9a: sp = x; break; // TXS
      case 0x9b: t = (word + y) & 0xffff; sp = a & x; bus = sp & ((t >> 8) + 1) & 0xff; cycles = write(t, bus, cycles); break; // SHS aby
      case 0x9c: t = (word + x) & 0xffff; bus = y & ((t >> 8) + 1) & 0xff; cycles = write(t, bus, cycles); break; // SHY abx
      case 0x9d: bus = a; cycles = write((word + x) & 0xffff, bus, cycles); break; // STA abx
      case 0x9e: t = (word + y) & 0xffff; bus = x & ((t >> 8) + 1) & 0xff; cycles = write(t, bus, cycles); break; // SHX aby
      case 0x9f: t = (word + y) & 0xffff; bus = a & x & ((t >> 8) + 1) & 0xff; cycles = write(t, bus, cycles); break; // SHA aby
      case 0xa0: bus = o1; nz = y = bus; break; // LDY imm
      case 0xa1: t = pointer((o1 + x) & 0xff, cycles, o1); bus = read(t, cycles, t >> 8); nz = a = bus; break; // LDA izx
      case 0xa2: bus = o1; nz = x = bus; break; // LDX imm
      case 0xa3: t = pointer((o1 + x) & 0xff, cycles, o1); bus = read(t, cycles, t >> 8); nz = a = x = bus; break; // LAX izx
      case 0xa4: bus = readZero(o1, cycles, o1); nz = y = bus; break; // LDY zp
      case 0xa5: bus = readZero(o1, cycles, o1); nz = a = bus; break; // LDA zp
      case 0xa6: bus = readZero(o1, cycles, o1); nz = x = bus; break; // LDX zp
      case 0xa7: bus = readZero(o1, cycles, o1); nz = a = x = bus; break; // LAX zp
      case 0xa8: nz = y = a; break; // TAY
      case 0xa9: bus = o1; nz = a = bus; break; // LDA imm
      case 0xaa: nz = x = a; break; // TAX
      case 0xab: bus = o1; nz = a = x = (a | 0xee) & bus; break; // LXA imm
      case 0xac: bus = read(word, cycles, word >> 8); nz = y = bus; break; // LDY abs
      case 0xad: bus = read(word, cycles, word >> 8); nz = a = bus; break; // LDA abs
      case 0xae: bus = read(word, cycles, word >> 8); nz = x = bus; break; // LDX abs
      case 0xaf: bus = read(word, cycles, word >> 8); nz = a = x = bus; break; // LAX abs
      case 0xb0: if (carry) { t = (pc + ((o1 << 24) >> 24)) & 0xffff; cycles += 1 + i32((t ^ pc) > 0xff); pc = t; } break; // BCS rel
      case 0xb1: word = pointer(o1, cycles, o1); t = word + y; cycles += ((t ^ word) >> 8) & 1; bus = read(t & 0xffff, cycles, word >> 8); nz = a = bus; break; // LDA izy
      case 0xb2: jammed = 1; break; // KIL
      case 0xb3: word = pointer(o1, cycles, o1); t = word + y; cycles += ((t ^ word) >> 8) & 1; bus = read(t & 0xffff, cycles, word >> 8); nz = a = x = bus; break; // LAX izy
      case 0xb4: bus = readZero((o1 + x) & 0xff, cycles, o1); nz = y = bus; break; // LDY zpx
      case 0xb5: bus = readZero((o1 + x) & 0xff, cycles, o1); nz = a = bus; break; // LDA zpx
      case 0xb6: bus = readZero((o1 + y) & 0xff, cycles, o1); nz = x = bus; break; // LDX zpy
      case 0xb7: bus = readZero((o1 + y) & 0xff, cycles, o1); nz = a = x = bus; break; // LAX zpy
      case 0xb8: overflow = 0; break; // CLV
      case 0xb9: t = word + y; cycles += ((t ^ word) >> 8) & 1; bus = read(t & 0xffff, cycles, word >> 8); nz = a = bus; break; // LDA aby
      case 0xba: nz = x = sp; break; // TSX
      case 0xbb: t = word + y; cycles += ((t ^ word) >> 8) & 1; bus = read(t & 0xffff, cycles, word >> 8); nz = a = x = sp = sp & bus; break; // LAS aby
      case 0xbc: t = word + x; cycles += ((t ^ word) >> 8) & 1; bus = read(t & 0xffff, cycles, word >> 8); nz = y = bus; break; // LDY abx
      case 0xbd: t = word + x; cycles += ((t ^ word) >> 8) & 1; bus = read(t & 0xffff, cycles, word >> 8); nz = a = bus; break; // LDA abx
      case 0xbe: t = word + y; cycles += ((t ^ word) >> 8) & 1; bus = read(t & 0xffff, cycles, word >> 8); nz = x = bus; break; // LDX aby
      case 0xbf: t = word + y; cycles += ((t ^ word) >> 8) & 1; bus = read(t & 0xffff, cycles, word >> 8); nz = a = x = bus; break; // LAX aby
      case 0xc0: bus = o1; t = y - bus; carry = i32(t >= 0); nz = t & 0xff; break; // CPY imm
      case 0xc1: t = pointer((o1 + x) & 0xff, cycles, o1); bus = read(t, cycles, t >> 8); t = a - bus; carry = i32(t >= 0); nz = t & 0xff; break; // CMP izx
      case 0xc2: bus = o1; break; // NOP imm
      case 0xc3: word = pointer((o1 + x) & 0xff, cycles, o1); bus = read(word, cycles, word >> 8); nz = bus = (bus - 1) & 0xff; cycles = write(word, bus, cycles); t = a - bus; carry = i32(t >= 0); nz = t & 0xff; break; // DCP izx
      case 0xc4: bus = readZero(o1, cycles, o1); t = y - bus; carry = i32(t >= 0); nz = t & 0xff; break; // CPY zp
      case 0xc5: bus = readZero(o1, cycles, o1); t = a - bus; carry = i32(t >= 0); nz = t & 0xff; break; // CMP zp
      case 0xc6: bus = readZero(o1, cycles, o1); nz = bus = (bus - 1) & 0xff; cycles = writeZero(o1, bus, cycles); break; // DEC zp
      case 0xc7: bus = readZero(o1, cycles, o1); nz = bus = (bus - 1) & 0xff; cycles = writeZero(o1, bus, cycles); t = a - bus; carry = i32(t >= 0); nz = t & 0xff; break; // DCP zp
      case 0xc8: nz = y = (y + 1) & 0xff; break; // INY
      case 0xc9: bus = o1; t = a - bus; carry = i32(t >= 0); nz = t & 0xff; break; // CMP imm
      case 0xca: nz = x = (x - 1) & 0xff; break; // DEX
      case 0xcb: bus = o1; t = (a & x) - bus; carry = i32(t >= 0); nz = x = t & 0xff; break; // SBX imm
      case 0xcc: bus = read(word, cycles, word >> 8); t = y - bus; carry = i32(t >= 0); nz = t & 0xff; break; // CPY abs
      case 0xcd: bus = read(word, cycles, word >> 8); t = a - bus; carry = i32(t >= 0); nz = t & 0xff; break; // CMP abs
      case 0xce: bus = read(word, cycles, word >> 8); nz = bus = (bus - 1) & 0xff; cycles = write(word, bus, cycles); break; // DEC abs
      case 0xcf: bus = read(word, cycles, word >> 8); nz = bus = (bus - 1) & 0xff; cycles = write(word, bus, cycles); t = a - bus; carry = i32(t >= 0); nz = t & 0xff; break; // DCP abs
      case 0xd0: if (nz & 0xff) { t = (pc + ((o1 << 24) >> 24)) & 0xffff; cycles += 1 + i32((t ^ pc) > 0xff); pc = t; } break; // BNE rel
      case 0xd1: word = pointer(o1, cycles, o1); t = word + y; cycles += ((t ^ word) >> 8) & 1; bus = read(t & 0xffff, cycles, word >> 8); t = a - bus; carry = i32(t >= 0); nz = t & 0xff; break; // CMP izy
      case 0xd2: jammed = 1; break; // KIL
      case 0xd3: word = pointer(o1, cycles, o1); bus = read((word + y) & 0xffff, cycles, word >> 8); nz = bus = (bus - 1) & 0xff; cycles = write((word + y) & 0xffff, bus, cycles); t = a - bus; carry = i32(t >= 0); nz = t & 0xff; break; // DCP izy
      case 0xd4: bus = readZero((o1 + x) & 0xff, cycles, o1); break; // NOP zpx
      case 0xd5: bus = readZero((o1 + x) & 0xff, cycles, o1); t = a - bus; carry = i32(t >= 0); nz = t & 0xff; break; // CMP zpx
      case 0xd6: word = (o1 + x) & 0xff; bus = readZero(word, cycles, o1); nz = bus = (bus - 1) & 0xff; cycles = writeZero(word, bus, cycles); break; // DEC zpx
      case 0xd7: word = (o1 + x) & 0xff; bus = readZero(word, cycles, o1); nz = bus = (bus - 1) & 0xff; cycles = writeZero(word, bus, cycles); t = a - bus; carry = i32(t >= 0); nz = t & 0xff; break; // DCP zpx
      case 0xd8: decimal = 0; break; // CLD
      case 0xd9: t = word + y; cycles += ((t ^ word) >> 8) & 1; bus = read(t & 0xffff, cycles, word >> 8); t = a - bus; carry = i32(t >= 0); nz = t & 0xff; break; // CMP aby
      case 0xda: break; // NOP
      case 0xdb: bus = read((word + y) & 0xffff, cycles, word >> 8); nz = bus = (bus - 1) & 0xff; cycles = write((word + y) & 0xffff, bus, cycles); t = a - bus; carry = i32(t >= 0); nz = t & 0xff; break; // DCP aby
      case 0xdc: t = word + x; cycles += ((t ^ word) >> 8) & 1; bus = read(t & 0xffff, cycles, word >> 8); break; // NOP abx
      case 0xdd: t = word + x; cycles += ((t ^ word) >> 8) & 1; bus = read(t & 0xffff, cycles, word >> 8); t = a - bus; carry = i32(t >= 0); nz = t & 0xff; break; // CMP abx
      case 0xde: bus = read((word + x) & 0xffff, cycles, word >> 8); nz = bus = (bus - 1) & 0xff; cycles = write((word + x) & 0xffff, bus, cycles); break; // DEC abx
      case 0xdf: bus = read((word + x) & 0xffff, cycles, word >> 8); nz = bus = (bus - 1) & 0xff; cycles = write((word + x) & 0xffff, bus, cycles); t = a - bus; carry = i32(t >= 0); nz = t & 0xff; break; // DCP abx
      case 0xe0: bus = o1; t = x - bus; carry = i32(t >= 0); nz = t & 0xff; break; // CPX imm
      case 0xe1: t = pointer((o1 + x) & 0xff, cycles, o1); bus = read(t, cycles, t >> 8); t = sbc(a, bus, carry, decimal); nz = a = t & 0xff; carry = (t >> 8) & 1; overflow = t >> 9; break; // SBC izx
      case 0xe2: bus = o1; break; // NOP imm
      case 0xe3: word = pointer((o1 + x) & 0xff, cycles, o1); bus = read(word, cycles, word >> 8); nz = bus = (bus + 1) & 0xff; cycles = write(word, bus, cycles); t = sbc(a, bus, carry, decimal); nz = a = t & 0xff; carry = (t >> 8) & 1; overflow = t >> 9; break; // ISB izx
      case 0xe4: bus = readZero(o1, cycles, o1); t = x - bus; carry = i32(t >= 0); nz = t & 0xff; break; // CPX zp
      case 0xe5: bus = readZero(o1, cycles, o1); t = sbc(a, bus, carry, decimal); nz = a = t & 0xff; carry = (t >> 8) & 1; overflow = t >> 9; break; // SBC zp
      case 0xe6: bus = readZero(o1, cycles, o1); nz = bus = (bus + 1) & 0xff; cycles = writeZero(o1, bus, cycles); break; // INC zp
      case 0xe7: bus = readZero(o1, cycles, o1); nz = bus = (bus + 1) & 0xff; cycles = writeZero(o1, bus, cycles); t = sbc(a, bus, carry, decimal); nz = a = t & 0xff; carry = (t >> 8) & 1; overflow = t >> 9; break; // ISB zp
      case 0xe8: nz = x = (x + 1) & 0xff; break; // INX
      case 0xe9: bus = o1; t = sbc(a, bus, carry, decimal); nz = a = t & 0xff; carry = (t >> 8) & 1; overflow = t >> 9; break; // SBC imm
      case 0xea: break; // NOP
      case 0xeb: bus = o1; t = sbc(a, bus, carry, decimal); nz = a = t & 0xff; carry = (t >> 8) & 1; overflow = t >> 9; break; // SBC imm
      case 0xec: bus = read(word, cycles, word >> 8); t = x - bus; carry = i32(t >= 0); nz = t & 0xff; break; // CPX abs
      case 0xed: bus = read(word, cycles, word >> 8); t = sbc(a, bus, carry, decimal); nz = a = t & 0xff; carry = (t >> 8) & 1; overflow = t >> 9; break; // SBC abs
      case 0xee: bus = read(word, cycles, word >> 8); nz = bus = (bus + 1) & 0xff; cycles = write(word, bus, cycles); break; // INC abs
      case 0xef: bus = read(word, cycles, word >> 8); nz = bus = (bus + 1) & 0xff; cycles = write(word, bus, cycles); t = sbc(a, bus, carry, decimal); nz = a = t & 0xff; carry = (t >> 8) & 1; overflow = t >> 9; break; // ISB abs
      case 0xf0: if (!(nz & 0xff)) { t = (pc + ((o1 << 24) >> 24)) & 0xffff; cycles += 1 + i32((t ^ pc) > 0xff); pc = t; } break; // BEQ rel
      case 0xf1: word = pointer(o1, cycles, o1); t = word + y; cycles += ((t ^ word) >> 8) & 1; bus = read(t & 0xffff, cycles, word >> 8); t = sbc(a, bus, carry, decimal); nz = a = t & 0xff; carry = (t >> 8) & 1; overflow = t >> 9; break; // SBC izy
      case 0xf2: jammed = 1; break; // KIL
      case 0xf3: word = pointer(o1, cycles, o1); bus = read((word + y) & 0xffff, cycles, word >> 8); nz = bus = (bus + 1) & 0xff; cycles = write((word + y) & 0xffff, bus, cycles); t = sbc(a, bus, carry, decimal); nz = a = t & 0xff; carry = (t >> 8) & 1; overflow = t >> 9; break; // ISB izy
      case 0xf4: bus = readZero((o1 + x) & 0xff, cycles, o1); break; // NOP zpx
      case 0xf5: bus = readZero((o1 + x) & 0xff, cycles, o1); t = sbc(a, bus, carry, decimal); nz = a = t & 0xff; carry = (t >> 8) & 1; overflow = t >> 9; break; // SBC zpx
      case 0xf6: word = (o1 + x) & 0xff; bus = readZero(word, cycles, o1); nz = bus = (bus + 1) & 0xff; cycles = writeZero(word, bus, cycles); break; // INC zpx
      case 0xf7: word = (o1 + x) & 0xff; bus = readZero(word, cycles, o1); nz = bus = (bus + 1) & 0xff; cycles = writeZero(word, bus, cycles); t = sbc(a, bus, carry, decimal); nz = a = t & 0xff; carry = (t >> 8) & 1; overflow = t >> 9; break; // ISB zpx
      case 0xf8: decimal = 1; break; // SED
      case 0xf9: t = word + y; cycles += ((t ^ word) >> 8) & 1; bus = read(t & 0xffff, cycles, word >> 8); t = sbc(a, bus, carry, decimal); nz = a = t & 0xff; carry = (t >> 8) & 1; overflow = t >> 9; break; // SBC aby
      case 0xfa: break; // NOP
      case 0xfb: bus = read((word + y) & 0xffff, cycles, word >> 8); nz = bus = (bus + 1) & 0xff; cycles = write((word + y) & 0xffff, bus, cycles); t = sbc(a, bus, carry, decimal); nz = a = t & 0xff; carry = (t >> 8) & 1; overflow = t >> 9; break; // ISB aby
      case 0xfc: t = word + x; cycles += ((t ^ word) >> 8) & 1; bus = read(t & 0xffff, cycles, word >> 8); break; // NOP abx
      case 0xfd: t = word + x; cycles += ((t ^ word) >> 8) & 1; bus = read(t & 0xffff, cycles, word >> 8); t = sbc(a, bus, carry, decimal); nz = a = t & 0xff; carry = (t >> 8) & 1; overflow = t >> 9; break; // SBC abx
      case 0xfe: bus = read((word + x) & 0xffff, cycles, word >> 8); nz = bus = (bus + 1) & 0xff; cycles = write((word + x) & 0xffff, bus, cycles); break; // INC abx
      case 0xff: bus = read((word + x) & 0xffff, cycles, word >> 8); nz = bus = (bus + 1) & 0xff; cycles = write((word + x) & 0xffff, bus, cycles); t = sbc(a, bus, carry, decimal); nz = a = t & 0xff; carry = (t >> 8) & 1; overflow = t >> 9; break; // ISB abx
    }
  } while (--limit > 0 && !machine.stop && !jammed);
  cpu.pc = pc;
  cpu.a = a;
  cpu.x = x;
  cpu.y = y;
  cpu.sp = sp;
  cpu.nz = nz;
  cpu.carry = carry;
  cpu.overflow = overflow;
  cpu.decimal = decimal;
  cpu.interrupt = interrupt;
  cpu.cycles = cycles;
  cpu.bus = bus;
  cpu.jammed = jammed;
}
