// The 6507. Timing is by instruction: an opcode's cycles are added as soon as
// it is fetched, so every operand access sees the clock of the instruction's end. There are no dummy accesses.
import { adc, arr, sbc } from './alu';
import { pointer, pull, push, pushOne, read, readZero, write, writeZero } from './bus';
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

/** Fetches the operand bytes where each of them may be a hot spot. */
function operands(op: i32, pc: i32, cycles: i32): i32 {
  const length = load<u8>(LENGTHS + op);
  if (length < 2) return 0;
  cycles += load<u8>(CYCLES + op);
  const low = read((pc + 1) & 0xffff, cycles, op);
  return length < 3 ? low : low | (read((pc + 2) & 0xffff, cycles, low) << 8);
}

/** Runs at most `limit` instructions, or until something sets `machine.left` to 0. */
export function run(limit: i32): void {
  if (cpu.jammed) return;
  // Only what nearly every instruction touches is in locals: the compiler runs out of registers soon enough.
  let pc = cpu.pc;
  let a = cpu.a;
  let x = cpu.x;
  let y = cpu.y;
  let nz = cpu.nz;
  let carry = cpu.carry;
  let cycles = cpu.cycles;
  machine.left = limit;
  do {
    let word: i32;
    let op: i32;
    let t = pc & 0x1fff;
    if (<u32>(t - 0x1000) < <u32>cartridge.fastCode) {
      // Opcode and operands in one load; what lies beyond the instruction is loaded but not used.
      word = load<u32>(cartridge.base + t);
      op = word & 0xff;
      word = (word >>> 8) & 0xffff;
    } else {
      op = read(pc & 0xffff, cycles, cpu.bus);
      word = operands(op, pc, cycles);
    }
    const o1 = word & 0xff;
    let bus = op;
    switch (op) {
      case 0x00: pc += 2; cycles += 7; cycles = push(cpu.sp, (pc >> 8) & 0xff, cycles, 1); cycles = push((cpu.sp - 1) & 0xff, pc & 0xff, cycles, 0); bus = status(nz, cpu.overflow, cpu.decimal, cpu.interrupt, carry); cycles = push((cpu.sp - 2) & 0xff, bus, cycles, 0); cpu.sp = (cpu.sp - 3) & 0xff; cpu.interrupt = 1; t = read(0xfffe, cycles, bus); bus = read(0xffff, cycles, t); pc = t | (bus << 8); break; // BRK
      case 0x01: pc += 2; cycles += 6; t = pointer((o1 + x) & 0xff, cycles, o1); bus = read(t, cycles, t >> 8); nz = a |= bus; break; // ORA izx
      case 0x02: pc += 1; cpu.jammed = 1; machine.left = 0; break; // KIL
      case 0x03: pc += 2; cycles += 8; word = pointer((o1 + x) & 0xff, cycles, o1); bus = read(word, cycles, word >> 8); carry = bus >> 7; nz = bus = (bus << 1) & 0xff; cycles = write(word, bus, cycles); nz = a |= bus; break; // SLO izx
      case 0x04: pc += 2; cycles += 3; bus = readZero(o1, cycles, o1); break; // NOP zp
      case 0x05: pc += 2; cycles += 3; bus = readZero(o1, cycles, o1); nz = a |= bus; break; // ORA zp
      case 0x06: pc += 2; cycles += 5; bus = readZero(o1, cycles, o1); carry = bus >> 7; nz = bus = (bus << 1) & 0xff; cycles = writeZero(o1, bus, cycles); break; // ASL zp
      case 0x07: pc += 2; cycles += 5; bus = readZero(o1, cycles, o1); carry = bus >> 7; nz = bus = (bus << 1) & 0xff; cycles = writeZero(o1, bus, cycles); nz = a |= bus; break; // SLO zp
      case 0x08: pc += 1; cycles += 3; bus = status(nz, cpu.overflow, cpu.decimal, cpu.interrupt, carry); cycles = pushOne(cpu.sp, bus, cycles); cpu.sp = (cpu.sp - 1) & 0xff; break; // PHP
      case 0x09: pc += 2; cycles += 2; bus = o1; nz = a |= bus; break; // ORA imm
      case 0x0a: pc += 1; cycles += 2; carry = a >> 7; nz = a = (a << 1) & 0xff; break; // ASL
      case 0x0b: pc += 2; cycles += 2; bus = o1; nz = a &= bus; carry = a >> 7; break; // ANC imm
      case 0x0c: pc += 3; cycles += 4; bus = read(word, cycles, word >> 8); break; // NOP abs
      case 0x0d: pc += 3; cycles += 4; bus = read(word, cycles, word >> 8); nz = a |= bus; break; // ORA abs
      case 0x0e: pc += 3; cycles += 6; bus = read(word, cycles, word >> 8); carry = bus >> 7; nz = bus = (bus << 1) & 0xff; cycles = write(word, bus, cycles); break; // ASL abs
      case 0x0f: pc += 3; cycles += 6; bus = read(word, cycles, word >> 8); carry = bus >> 7; nz = bus = (bus << 1) & 0xff; cycles = write(word, bus, cycles); nz = a |= bus; break; // SLO abs
      case 0x10: pc += 2; cycles += 2; bus = o1; if (!(nz & 0x180)) { t = pc + ((o1 << 24) >> 24); cycles += 1 + i32(((t ^ pc) & 0xff00) != 0); pc = t; } break; // BPL rel
      case 0x11: pc += 2; cycles += 5; word = pointer(o1, cycles, o1); t = word + y; cycles += ((t ^ word) >> 8) & 1; bus = read(t & 0xffff, cycles, word >> 8); nz = a |= bus; break; // ORA izy
      case 0x12: pc += 1; cpu.jammed = 1; machine.left = 0; break; // KIL
      case 0x13: pc += 2; cycles += 8; word = pointer(o1, cycles, o1); bus = read((word + y) & 0xffff, cycles, word >> 8); carry = bus >> 7; nz = bus = (bus << 1) & 0xff; cycles = write((word + y) & 0xffff, bus, cycles); nz = a |= bus; break; // SLO izy
      case 0x14: pc += 2; cycles += 4; bus = readZero((o1 + x) & 0xff, cycles, o1); break; // NOP zpx
      case 0x15: pc += 2; cycles += 4; bus = readZero((o1 + x) & 0xff, cycles, o1); nz = a |= bus; break; // ORA zpx
      case 0x16: pc += 2; cycles += 6; word = (o1 + x) & 0xff; bus = readZero(word, cycles, o1); carry = bus >> 7; nz = bus = (bus << 1) & 0xff; cycles = writeZero(word, bus, cycles); break; // ASL zpx
      case 0x17: pc += 2; cycles += 6; word = (o1 + x) & 0xff; bus = readZero(word, cycles, o1); carry = bus >> 7; nz = bus = (bus << 1) & 0xff; cycles = writeZero(word, bus, cycles); nz = a |= bus; break; // SLO zpx
      case 0x18: pc += 1; cycles += 2; carry = 0; break; // CLC
      case 0x19: pc += 3; cycles += 4; t = word + y; cycles += ((t ^ word) >> 8) & 1; bus = read(t & 0xffff, cycles, word >> 8); nz = a |= bus; break; // ORA aby
      case 0x1a: pc += 1; cycles += 2;  break; // NOP
      case 0x1b: pc += 3; cycles += 7; bus = read((word + y) & 0xffff, cycles, word >> 8); carry = bus >> 7; nz = bus = (bus << 1) & 0xff; cycles = write((word + y) & 0xffff, bus, cycles); nz = a |= bus; break; // SLO aby
      case 0x1c: pc += 3; cycles += 4; t = word + x; cycles += ((t ^ word) >> 8) & 1; bus = read(t & 0xffff, cycles, word >> 8); break; // NOP abx
      case 0x1d: pc += 3; cycles += 4; t = word + x; cycles += ((t ^ word) >> 8) & 1; bus = read(t & 0xffff, cycles, word >> 8); nz = a |= bus; break; // ORA abx
      case 0x1e: pc += 3; cycles += 7; bus = read((word + x) & 0xffff, cycles, word >> 8); carry = bus >> 7; nz = bus = (bus << 1) & 0xff; cycles = write((word + x) & 0xffff, bus, cycles); break; // ASL abx
      case 0x1f: pc += 3; cycles += 7; bus = read((word + x) & 0xffff, cycles, word >> 8); carry = bus >> 7; nz = bus = (bus << 1) & 0xff; cycles = write((word + x) & 0xffff, bus, cycles); nz = a |= bus; break; // SLO abx
      case 0x20: pc += 2; cycles += 6; pull(cpu.sp, cycles, o1); cycles = push(cpu.sp, (pc >> 8) & 0xff, cycles, 1); bus = pc & 0xff; cycles = push((cpu.sp - 1) & 0xff, bus, cycles, 0); cpu.sp = (cpu.sp - 2) & 0xff; bus = read(pc, cycles, bus); pc = o1 | (bus << 8); break; // JSR abs
      case 0x21: pc += 2; cycles += 6; t = pointer((o1 + x) & 0xff, cycles, o1); bus = read(t, cycles, t >> 8); nz = a &= bus; break; // AND izx
      case 0x22: pc += 1; cpu.jammed = 1; machine.left = 0; break; // KIL
      case 0x23: pc += 2; cycles += 8; word = pointer((o1 + x) & 0xff, cycles, o1); bus = read(word, cycles, word >> 8); t = (bus << 1) | carry; carry = t >> 8; nz = bus = t & 0xff; cycles = write(word, bus, cycles); nz = a &= bus; break; // RLA izx
      case 0x24: pc += 2; cycles += 3; bus = readZero(o1, cycles, o1); cpu.overflow = (bus >> 6) & 1; nz = (a & bus) | ((bus & 0x80) << 1); break; // BIT zp
      case 0x25: pc += 2; cycles += 3; bus = readZero(o1, cycles, o1); nz = a &= bus; break; // AND zp
      case 0x26: pc += 2; cycles += 5; bus = readZero(o1, cycles, o1); t = (bus << 1) | carry; carry = t >> 8; nz = bus = t & 0xff; cycles = writeZero(o1, bus, cycles); break; // ROL zp
      case 0x27: pc += 2; cycles += 5; bus = readZero(o1, cycles, o1); t = (bus << 1) | carry; carry = t >> 8; nz = bus = t & 0xff; cycles = writeZero(o1, bus, cycles); nz = a &= bus; break; // RLA zp
      case 0x28: pc += 1; cycles += 4; bus = pull(cpu.sp, cycles, bus); cpu.sp = (cpu.sp + 1) & 0xff; bus = pull(cpu.sp, cycles, bus); t = bus; nz = unpackNz(t); cpu.overflow = (t >> 6) & 1; cpu.decimal = (t >> 3) & 1; cpu.interrupt = (t >> 2) & 1; carry = t & 1; break; // PLP
      case 0x29: pc += 2; cycles += 2; bus = o1; nz = a &= bus; break; // AND imm
      case 0x2a: pc += 1; cycles += 2; t = (a << 1) | carry; carry = t >> 8; nz = a = t & 0xff; break; // ROL
      case 0x2b: pc += 2; cycles += 2; bus = o1; nz = a &= bus; carry = a >> 7; break; // ANC imm
      case 0x2c: pc += 3; cycles += 4; bus = read(word, cycles, word >> 8); cpu.overflow = (bus >> 6) & 1; nz = (a & bus) | ((bus & 0x80) << 1); break; // BIT abs
      case 0x2d: pc += 3; cycles += 4; bus = read(word, cycles, word >> 8); nz = a &= bus; break; // AND abs
      case 0x2e: pc += 3; cycles += 6; bus = read(word, cycles, word >> 8); t = (bus << 1) | carry; carry = t >> 8; nz = bus = t & 0xff; cycles = write(word, bus, cycles); break; // ROL abs
      case 0x2f: pc += 3; cycles += 6; bus = read(word, cycles, word >> 8); t = (bus << 1) | carry; carry = t >> 8; nz = bus = t & 0xff; cycles = write(word, bus, cycles); nz = a &= bus; break; // RLA abs
      case 0x30: pc += 2; cycles += 2; bus = o1; if (nz & 0x180) { t = pc + ((o1 << 24) >> 24); cycles += 1 + i32(((t ^ pc) & 0xff00) != 0); pc = t; } break; // BMI rel
      case 0x31: pc += 2; cycles += 5; word = pointer(o1, cycles, o1); t = word + y; cycles += ((t ^ word) >> 8) & 1; bus = read(t & 0xffff, cycles, word >> 8); nz = a &= bus; break; // AND izy
      case 0x32: pc += 1; cpu.jammed = 1; machine.left = 0; break; // KIL
      case 0x33: pc += 2; cycles += 8; word = pointer(o1, cycles, o1); bus = read((word + y) & 0xffff, cycles, word >> 8); t = (bus << 1) | carry; carry = t >> 8; nz = bus = t & 0xff; cycles = write((word + y) & 0xffff, bus, cycles); nz = a &= bus; break; // RLA izy
      case 0x34: pc += 2; cycles += 4; bus = readZero((o1 + x) & 0xff, cycles, o1); break; // NOP zpx
      case 0x35: pc += 2; cycles += 4; bus = readZero((o1 + x) & 0xff, cycles, o1); nz = a &= bus; break; // AND zpx
      case 0x36: pc += 2; cycles += 6; word = (o1 + x) & 0xff; bus = readZero(word, cycles, o1); t = (bus << 1) | carry; carry = t >> 8; nz = bus = t & 0xff; cycles = writeZero(word, bus, cycles); break; // ROL zpx
      case 0x37: pc += 2; cycles += 6; word = (o1 + x) & 0xff; bus = readZero(word, cycles, o1); t = (bus << 1) | carry; carry = t >> 8; nz = bus = t & 0xff; cycles = writeZero(word, bus, cycles); nz = a &= bus; break; // RLA zpx
      case 0x38: pc += 1; cycles += 2; carry = 1; break; // SEC
      case 0x39: pc += 3; cycles += 4; t = word + y; cycles += ((t ^ word) >> 8) & 1; bus = read(t & 0xffff, cycles, word >> 8); nz = a &= bus; break; // AND aby
      case 0x3a: pc += 1; cycles += 2;  break; // NOP
      case 0x3b: pc += 3; cycles += 7; bus = read((word + y) & 0xffff, cycles, word >> 8); t = (bus << 1) | carry; carry = t >> 8; nz = bus = t & 0xff; cycles = write((word + y) & 0xffff, bus, cycles); nz = a &= bus; break; // RLA aby
      case 0x3c: pc += 3; cycles += 4; t = word + x; cycles += ((t ^ word) >> 8) & 1; bus = read(t & 0xffff, cycles, word >> 8); break; // NOP abx
      case 0x3d: pc += 3; cycles += 4; t = word + x; cycles += ((t ^ word) >> 8) & 1; bus = read(t & 0xffff, cycles, word >> 8); nz = a &= bus; break; // AND abx
      case 0x3e: pc += 3; cycles += 7; bus = read((word + x) & 0xffff, cycles, word >> 8); t = (bus << 1) | carry; carry = t >> 8; nz = bus = t & 0xff; cycles = write((word + x) & 0xffff, bus, cycles); break; // ROL abx
      case 0x3f: pc += 3; cycles += 7; bus = read((word + x) & 0xffff, cycles, word >> 8); t = (bus << 1) | carry; carry = t >> 8; nz = bus = t & 0xff; cycles = write((word + x) & 0xffff, bus, cycles); nz = a &= bus; break; // RLA abx
      case 0x40: pc += 1; cycles += 6; bus = pull(cpu.sp, cycles, bus); t = pull((cpu.sp + 1) & 0xff, cycles, bus); nz = unpackNz(t); cpu.overflow = (t >> 6) & 1; cpu.decimal = (t >> 3) & 1; cpu.interrupt = (t >> 2) & 1; carry = t & 1; bus = pull((cpu.sp + 2) & 0xff, cycles, t); cpu.sp = (cpu.sp + 3) & 0xff; t = bus; bus = pull(cpu.sp, cycles, t); pc = t | (bus << 8); break; // RTI
      case 0x41: pc += 2; cycles += 6; t = pointer((o1 + x) & 0xff, cycles, o1); bus = read(t, cycles, t >> 8); nz = a ^= bus; break; // EOR izx
      case 0x42: pc += 1; cpu.jammed = 1; machine.left = 0; break; // KIL
      case 0x43: pc += 2; cycles += 8; word = pointer((o1 + x) & 0xff, cycles, o1); bus = read(word, cycles, word >> 8); carry = bus & 1; nz = bus >>= 1; cycles = write(word, bus, cycles); nz = a ^= bus; break; // SRE izx
      case 0x44: pc += 2; cycles += 3; bus = readZero(o1, cycles, o1); break; // NOP zp
      case 0x45: pc += 2; cycles += 3; bus = readZero(o1, cycles, o1); nz = a ^= bus; break; // EOR zp
      case 0x46: pc += 2; cycles += 5; bus = readZero(o1, cycles, o1); carry = bus & 1; nz = bus >>= 1; cycles = writeZero(o1, bus, cycles); break; // LSR zp
      case 0x47: pc += 2; cycles += 5; bus = readZero(o1, cycles, o1); carry = bus & 1; nz = bus >>= 1; cycles = writeZero(o1, bus, cycles); nz = a ^= bus; break; // SRE zp
      case 0x48: pc += 1; cycles += 3; bus = a; cycles = pushOne(cpu.sp, a, cycles); cpu.sp = (cpu.sp - 1) & 0xff; break; // PHA
      case 0x49: pc += 2; cycles += 2; bus = o1; nz = a ^= bus; break; // EOR imm
      case 0x4a: pc += 1; cycles += 2; carry = a & 1; nz = a >>= 1; break; // LSR
      case 0x4b: pc += 2; cycles += 2; bus = o1; t = a & bus; carry = t & 1; nz = a = t >> 1; break; // ASR imm
      case 0x4c: pc += 3; cycles += 3; bus = word >> 8; pc = word; break; // JMP abs
      case 0x4d: pc += 3; cycles += 4; bus = read(word, cycles, word >> 8); nz = a ^= bus; break; // EOR abs
      case 0x4e: pc += 3; cycles += 6; bus = read(word, cycles, word >> 8); carry = bus & 1; nz = bus >>= 1; cycles = write(word, bus, cycles); break; // LSR abs
      case 0x4f: pc += 3; cycles += 6; bus = read(word, cycles, word >> 8); carry = bus & 1; nz = bus >>= 1; cycles = write(word, bus, cycles); nz = a ^= bus; break; // SRE abs
      case 0x50: pc += 2; cycles += 2; bus = o1; if (!cpu.overflow) { t = pc + ((o1 << 24) >> 24); cycles += 1 + i32(((t ^ pc) & 0xff00) != 0); pc = t; } break; // BVC rel
      case 0x51: pc += 2; cycles += 5; word = pointer(o1, cycles, o1); t = word + y; cycles += ((t ^ word) >> 8) & 1; bus = read(t & 0xffff, cycles, word >> 8); nz = a ^= bus; break; // EOR izy
      case 0x52: pc += 1; cpu.jammed = 1; machine.left = 0; break; // KIL
      case 0x53: pc += 2; cycles += 8; word = pointer(o1, cycles, o1); bus = read((word + y) & 0xffff, cycles, word >> 8); carry = bus & 1; nz = bus >>= 1; cycles = write((word + y) & 0xffff, bus, cycles); nz = a ^= bus; break; // SRE izy
      case 0x54: pc += 2; cycles += 4; bus = readZero((o1 + x) & 0xff, cycles, o1); break; // NOP zpx
      case 0x55: pc += 2; cycles += 4; bus = readZero((o1 + x) & 0xff, cycles, o1); nz = a ^= bus; break; // EOR zpx
      case 0x56: pc += 2; cycles += 6; word = (o1 + x) & 0xff; bus = readZero(word, cycles, o1); carry = bus & 1; nz = bus >>= 1; cycles = writeZero(word, bus, cycles); break; // LSR zpx
      case 0x57: pc += 2; cycles += 6; word = (o1 + x) & 0xff; bus = readZero(word, cycles, o1); carry = bus & 1; nz = bus >>= 1; cycles = writeZero(word, bus, cycles); nz = a ^= bus; break; // SRE zpx
      case 0x58: pc += 1; cycles += 2; cpu.interrupt = 0; break; // CLI
      case 0x59: pc += 3; cycles += 4; t = word + y; cycles += ((t ^ word) >> 8) & 1; bus = read(t & 0xffff, cycles, word >> 8); nz = a ^= bus; break; // EOR aby
      case 0x5a: pc += 1; cycles += 2;  break; // NOP
      case 0x5b: pc += 3; cycles += 7; bus = read((word + y) & 0xffff, cycles, word >> 8); carry = bus & 1; nz = bus >>= 1; cycles = write((word + y) & 0xffff, bus, cycles); nz = a ^= bus; break; // SRE aby
      case 0x5c: pc += 3; cycles += 4; t = word + x; cycles += ((t ^ word) >> 8) & 1; bus = read(t & 0xffff, cycles, word >> 8); break; // NOP abx
      case 0x5d: pc += 3; cycles += 4; t = word + x; cycles += ((t ^ word) >> 8) & 1; bus = read(t & 0xffff, cycles, word >> 8); nz = a ^= bus; break; // EOR abx
      case 0x5e: pc += 3; cycles += 7; bus = read((word + x) & 0xffff, cycles, word >> 8); carry = bus & 1; nz = bus >>= 1; cycles = write((word + x) & 0xffff, bus, cycles); break; // LSR abx
      case 0x5f: pc += 3; cycles += 7; bus = read((word + x) & 0xffff, cycles, word >> 8); carry = bus & 1; nz = bus >>= 1; cycles = write((word + x) & 0xffff, bus, cycles); nz = a ^= bus; break; // SRE abx
      case 0x60: pc += 1; cycles += 6; bus = pull(cpu.sp, cycles, bus); t = pull((cpu.sp + 1) & 0xff, cycles, bus); cpu.sp = (cpu.sp + 2) & 0xff; bus = pull(cpu.sp, cycles, t); pc = t | (bus << 8); bus = read(pc, cycles, bus); pc += 1; break; // RTS
      case 0x61: pc += 2; cycles += 6; t = pointer((o1 + x) & 0xff, cycles, o1); bus = read(t, cycles, t >> 8); t = adc(a, bus, carry, cpu.decimal); nz = a = t & 0xff; carry = (t >> 8) & 1; cpu.overflow = t >> 9; break; // ADC izx
      case 0x62: pc += 1; cpu.jammed = 1; machine.left = 0; break; // KIL
      case 0x63: pc += 2; cycles += 8; word = pointer((o1 + x) & 0xff, cycles, o1); bus = read(word, cycles, word >> 8); t = bus | (carry << 8); carry = bus & 1; nz = bus = t >> 1; cycles = write(word, bus, cycles); t = adc(a, bus, carry, cpu.decimal); nz = a = t & 0xff; carry = (t >> 8) & 1; cpu.overflow = t >> 9; break; // RRA izx
      case 0x64: pc += 2; cycles += 3; bus = readZero(o1, cycles, o1); break; // NOP zp
      case 0x65: pc += 2; cycles += 3; bus = readZero(o1, cycles, o1); t = adc(a, bus, carry, cpu.decimal); nz = a = t & 0xff; carry = (t >> 8) & 1; cpu.overflow = t >> 9; break; // ADC zp
      case 0x66: pc += 2; cycles += 5; bus = readZero(o1, cycles, o1); t = bus | (carry << 8); carry = bus & 1; nz = bus = t >> 1; cycles = writeZero(o1, bus, cycles); break; // ROR zp
      case 0x67: pc += 2; cycles += 5; bus = readZero(o1, cycles, o1); t = bus | (carry << 8); carry = bus & 1; nz = bus = t >> 1; cycles = writeZero(o1, bus, cycles); t = adc(a, bus, carry, cpu.decimal); nz = a = t & 0xff; carry = (t >> 8) & 1; cpu.overflow = t >> 9; break; // RRA zp
      case 0x68: pc += 1; cycles += 4; bus = pull(cpu.sp, cycles, bus); cpu.sp = (cpu.sp + 1) & 0xff; bus = pull(cpu.sp, cycles, bus); nz = a = bus; break; // PLA
      case 0x69: pc += 2; cycles += 2; bus = o1; t = adc(a, bus, carry, cpu.decimal); nz = a = t & 0xff; carry = (t >> 8) & 1; cpu.overflow = t >> 9; break; // ADC imm
      case 0x6a: pc += 1; cycles += 2; t = a | (carry << 8); carry = a & 1; nz = a = t >> 1; break; // ROR
      case 0x6b: pc += 2; cycles += 2; bus = o1; nz = ((a & bus) >> 1) | (carry << 7); t = arr(a, bus, carry, cpu.decimal); a = t & 0xff; carry = (t >> 8) & 1; cpu.overflow = t >> 9; break; // ARR imm
      case 0x6c: pc += 3; cycles += 5; bus = read(word, cycles, word >> 8); t = read((word & 0xff00) | ((word + 1) & 0xff), cycles, bus); pc = bus | (t << 8); bus = t; break; // JMP ind
      case 0x6d: pc += 3; cycles += 4; bus = read(word, cycles, word >> 8); t = adc(a, bus, carry, cpu.decimal); nz = a = t & 0xff; carry = (t >> 8) & 1; cpu.overflow = t >> 9; break; // ADC abs
      case 0x6e: pc += 3; cycles += 6; bus = read(word, cycles, word >> 8); t = bus | (carry << 8); carry = bus & 1; nz = bus = t >> 1; cycles = write(word, bus, cycles); break; // ROR abs
      case 0x6f: pc += 3; cycles += 6; bus = read(word, cycles, word >> 8); t = bus | (carry << 8); carry = bus & 1; nz = bus = t >> 1; cycles = write(word, bus, cycles); t = adc(a, bus, carry, cpu.decimal); nz = a = t & 0xff; carry = (t >> 8) & 1; cpu.overflow = t >> 9; break; // RRA abs
      case 0x70: pc += 2; cycles += 2; bus = o1; if (cpu.overflow) { t = pc + ((o1 << 24) >> 24); cycles += 1 + i32(((t ^ pc) & 0xff00) != 0); pc = t; } break; // BVS rel
      case 0x71: pc += 2; cycles += 5; word = pointer(o1, cycles, o1); t = word + y; cycles += ((t ^ word) >> 8) & 1; bus = read(t & 0xffff, cycles, word >> 8); t = adc(a, bus, carry, cpu.decimal); nz = a = t & 0xff; carry = (t >> 8) & 1; cpu.overflow = t >> 9; break; // ADC izy
      case 0x72: pc += 1; cpu.jammed = 1; machine.left = 0; break; // KIL
      case 0x73: pc += 2; cycles += 8; word = pointer(o1, cycles, o1); bus = read((word + y) & 0xffff, cycles, word >> 8); t = bus | (carry << 8); carry = bus & 1; nz = bus = t >> 1; cycles = write((word + y) & 0xffff, bus, cycles); t = adc(a, bus, carry, cpu.decimal); nz = a = t & 0xff; carry = (t >> 8) & 1; cpu.overflow = t >> 9; break; // RRA izy
      case 0x74: pc += 2; cycles += 4; bus = readZero((o1 + x) & 0xff, cycles, o1); break; // NOP zpx
      case 0x75: pc += 2; cycles += 4; bus = readZero((o1 + x) & 0xff, cycles, o1); t = adc(a, bus, carry, cpu.decimal); nz = a = t & 0xff; carry = (t >> 8) & 1; cpu.overflow = t >> 9; break; // ADC zpx
      case 0x76: pc += 2; cycles += 6; word = (o1 + x) & 0xff; bus = readZero(word, cycles, o1); t = bus | (carry << 8); carry = bus & 1; nz = bus = t >> 1; cycles = writeZero(word, bus, cycles); break; // ROR zpx
      case 0x77: pc += 2; cycles += 6; word = (o1 + x) & 0xff; bus = readZero(word, cycles, o1); t = bus | (carry << 8); carry = bus & 1; nz = bus = t >> 1; cycles = writeZero(word, bus, cycles); t = adc(a, bus, carry, cpu.decimal); nz = a = t & 0xff; carry = (t >> 8) & 1; cpu.overflow = t >> 9; break; // RRA zpx
      case 0x78: pc += 1; cycles += 2; cpu.interrupt = 1; break; // SEI
      case 0x79: pc += 3; cycles += 4; t = word + y; cycles += ((t ^ word) >> 8) & 1; bus = read(t & 0xffff, cycles, word >> 8); t = adc(a, bus, carry, cpu.decimal); nz = a = t & 0xff; carry = (t >> 8) & 1; cpu.overflow = t >> 9; break; // ADC aby
      case 0x7a: pc += 1; cycles += 2;  break; // NOP
      case 0x7b: pc += 3; cycles += 7; bus = read((word + y) & 0xffff, cycles, word >> 8); t = bus | (carry << 8); carry = bus & 1; nz = bus = t >> 1; cycles = write((word + y) & 0xffff, bus, cycles); t = adc(a, bus, carry, cpu.decimal); nz = a = t & 0xff; carry = (t >> 8) & 1; cpu.overflow = t >> 9; break; // RRA aby
      case 0x7c: pc += 3; cycles += 4; t = word + x; cycles += ((t ^ word) >> 8) & 1; bus = read(t & 0xffff, cycles, word >> 8); break; // NOP abx
      case 0x7d: pc += 3; cycles += 4; t = word + x; cycles += ((t ^ word) >> 8) & 1; bus = read(t & 0xffff, cycles, word >> 8); t = adc(a, bus, carry, cpu.decimal); nz = a = t & 0xff; carry = (t >> 8) & 1; cpu.overflow = t >> 9; break; // ADC abx
      case 0x7e: pc += 3; cycles += 7; bus = read((word + x) & 0xffff, cycles, word >> 8); t = bus | (carry << 8); carry = bus & 1; nz = bus = t >> 1; cycles = write((word + x) & 0xffff, bus, cycles); break; // ROR abx
      case 0x7f: pc += 3; cycles += 7; bus = read((word + x) & 0xffff, cycles, word >> 8); t = bus | (carry << 8); carry = bus & 1; nz = bus = t >> 1; cycles = write((word + x) & 0xffff, bus, cycles); t = adc(a, bus, carry, cpu.decimal); nz = a = t & 0xff; carry = (t >> 8) & 1; cpu.overflow = t >> 9; break; // RRA abx
      case 0x80: pc += 2; cycles += 2; bus = o1; break; // NOP imm
      case 0x81: pc += 2; cycles += 6; t = pointer((o1 + x) & 0xff, cycles, o1); bus = a; cycles = write(t, bus, cycles); break; // STA izx
      case 0x82: pc += 2; cycles += 2; bus = o1; break; // NOP imm
      case 0x83: pc += 2; cycles += 6; t = pointer((o1 + x) & 0xff, cycles, o1); bus = a & x; cycles = write(t, bus, cycles); break; // SAX izx
      case 0x84: pc += 2; cycles += 3; bus = y; cycles = writeZero(o1, bus, cycles); break; // STY zp
      case 0x85: pc += 2; cycles += 3; bus = a; cycles = writeZero(o1, bus, cycles); break; // STA zp
      case 0x86: pc += 2; cycles += 3; bus = x; cycles = writeZero(o1, bus, cycles); break; // STX zp
      case 0x87: pc += 2; cycles += 3; bus = a & x; cycles = writeZero(o1, bus, cycles); break; // SAX zp
      case 0x88: pc += 1; cycles += 2; nz = y = (y - 1) & 0xff; break; // DEY
      case 0x89: pc += 2; cycles += 2; bus = o1; break; // NOP imm
      case 0x8a: pc += 1; cycles += 2; nz = a = x; break; // TXA
      case 0x8b: pc += 2; cycles += 2; bus = o1; nz = a = (a | 0xee) & x & bus; break; // ANE imm
      case 0x8c: pc += 3; cycles += 4; bus = y; cycles = write(word, bus, cycles); break; // STY abs
      case 0x8d: pc += 3; cycles += 4; bus = a; cycles = write(word, bus, cycles); break; // STA abs
      case 0x8e: pc += 3; cycles += 4; bus = x; cycles = write(word, bus, cycles); break; // STX abs
      case 0x8f: pc += 3; cycles += 4; bus = a & x; cycles = write(word, bus, cycles); break; // SAX abs
      case 0x90: pc += 2; cycles += 2; bus = o1; if (!carry) { t = pc + ((o1 << 24) >> 24); cycles += 1 + i32(((t ^ pc) & 0xff00) != 0); pc = t; } break; // BCC rel
      case 0x91: pc += 2; cycles += 6; t = (pointer(o1, cycles, o1) + y) & 0xffff; bus = a; cycles = write(t, bus, cycles); break; // STA izy
      case 0x92: pc += 1; cpu.jammed = 1; machine.left = 0; break; // KIL
      case 0x93: pc += 2; cycles += 6; t = (pointer(o1, cycles, o1) + y) & 0xffff; bus = a & x & ((t >> 8) + 1) & 0xff; cycles = write(t, bus, cycles); break; // SHA izy
      case 0x94: pc += 2; cycles += 4; bus = y; cycles = writeZero((o1 + x) & 0xff, bus, cycles); break; // STY zpx
      case 0x95: pc += 2; cycles += 4; bus = a; cycles = writeZero((o1 + x) & 0xff, bus, cycles); break; // STA zpx
      case 0x96: pc += 2; cycles += 4; bus = x; cycles = writeZero((o1 + y) & 0xff, bus, cycles); break; // STX zpy
      case 0x97: pc += 2; cycles += 4; bus = a & x; cycles = writeZero((o1 + y) & 0xff, bus, cycles); break; // SAX zpy
      case 0x98: pc += 1; cycles += 2; nz = a = y; break; // TYA
      case 0x99: pc += 3; cycles += 5; bus = a; cycles = write((word + y) & 0xffff, bus, cycles); break; // STA aby
      case 0x9a: pc += 1; cycles += 2; cpu.sp = x; break; // TXS
      case 0x9b: pc += 3; cycles += 5; t = (word + y) & 0xffff; cpu.sp = a & x; bus = cpu.sp & ((t >> 8) + 1) & 0xff; cycles = write(t, bus, cycles); break; // SHS aby
      case 0x9c: pc += 3; cycles += 5; t = (word + x) & 0xffff; bus = y & ((t >> 8) + 1) & 0xff; cycles = write(t, bus, cycles); break; // SHY abx
      case 0x9d: pc += 3; cycles += 5; bus = a; cycles = write((word + x) & 0xffff, bus, cycles); break; // STA abx
      case 0x9e: pc += 3; cycles += 5; t = (word + y) & 0xffff; bus = x & ((t >> 8) + 1) & 0xff; cycles = write(t, bus, cycles); break; // SHX aby
      case 0x9f: pc += 3; cycles += 5; t = (word + y) & 0xffff; bus = a & x & ((t >> 8) + 1) & 0xff; cycles = write(t, bus, cycles); break; // SHA aby
      case 0xa0: pc += 2; cycles += 2; bus = o1; nz = y = bus; break; // LDY imm
      case 0xa1: pc += 2; cycles += 6; t = pointer((o1 + x) & 0xff, cycles, o1); bus = read(t, cycles, t >> 8); nz = a = bus; break; // LDA izx
      case 0xa2: pc += 2; cycles += 2; bus = o1; nz = x = bus; break; // LDX imm
      case 0xa3: pc += 2; cycles += 6; t = pointer((o1 + x) & 0xff, cycles, o1); bus = read(t, cycles, t >> 8); nz = a = x = bus; break; // LAX izx
      case 0xa4: pc += 2; cycles += 3; bus = readZero(o1, cycles, o1); nz = y = bus; break; // LDY zp
      case 0xa5: pc += 2; cycles += 3; bus = readZero(o1, cycles, o1); nz = a = bus; break; // LDA zp
      case 0xa6: pc += 2; cycles += 3; bus = readZero(o1, cycles, o1); nz = x = bus; break; // LDX zp
      case 0xa7: pc += 2; cycles += 4; bus = readZero(o1, cycles, o1); nz = a = x = bus; break; // LAX zp
      case 0xa8: pc += 1; cycles += 2; nz = y = a; break; // TAY
      case 0xa9: pc += 2; cycles += 2; bus = o1; nz = a = bus; break; // LDA imm
      case 0xaa: pc += 1; cycles += 2; nz = x = a; break; // TAX
      case 0xab: pc += 2; cycles += 2; bus = o1; nz = a = x = (a | 0xee) & bus; break; // LXA imm
      case 0xac: pc += 3; cycles += 4; bus = read(word, cycles, word >> 8); nz = y = bus; break; // LDY abs
      case 0xad: pc += 3; cycles += 4; bus = read(word, cycles, word >> 8); nz = a = bus; break; // LDA abs
      case 0xae: pc += 3; cycles += 4; bus = read(word, cycles, word >> 8); nz = x = bus; break; // LDX abs
      case 0xaf: pc += 3; cycles += 4; bus = read(word, cycles, word >> 8); nz = a = x = bus; break; // LAX abs
      case 0xb0: pc += 2; cycles += 2; bus = o1; if (carry) { t = pc + ((o1 << 24) >> 24); cycles += 1 + i32(((t ^ pc) & 0xff00) != 0); pc = t; } break; // BCS rel
      case 0xb1: pc += 2; cycles += 5; word = pointer(o1, cycles, o1); t = word + y; cycles += ((t ^ word) >> 8) & 1; bus = read(t & 0xffff, cycles, word >> 8); nz = a = bus; break; // LDA izy
      case 0xb2: pc += 1; cpu.jammed = 1; machine.left = 0; break; // KIL
      case 0xb3: pc += 2; cycles += 5; word = pointer(o1, cycles, o1); t = word + y; cycles += ((t ^ word) >> 8) & 1; bus = read(t & 0xffff, cycles, word >> 8); nz = a = x = bus; break; // LAX izy
      case 0xb4: pc += 2; cycles += 4; bus = readZero((o1 + x) & 0xff, cycles, o1); nz = y = bus; break; // LDY zpx
      case 0xb5: pc += 2; cycles += 4; bus = readZero((o1 + x) & 0xff, cycles, o1); nz = a = bus; break; // LDA zpx
      case 0xb6: pc += 2; cycles += 4; bus = readZero((o1 + y) & 0xff, cycles, o1); nz = x = bus; break; // LDX zpy
      case 0xb7: pc += 2; cycles += 4; bus = readZero((o1 + y) & 0xff, cycles, o1); nz = a = x = bus; break; // LAX zpy
      case 0xb8: pc += 1; cycles += 2; cpu.overflow = 0; break; // CLV
      case 0xb9: pc += 3; cycles += 4; t = word + y; cycles += ((t ^ word) >> 8) & 1; bus = read(t & 0xffff, cycles, word >> 8); nz = a = bus; break; // LDA aby
      case 0xba: pc += 1; cycles += 2; nz = x = cpu.sp; break; // TSX
      case 0xbb: pc += 3; cycles += 4; t = word + y; cycles += ((t ^ word) >> 8) & 1; bus = read(t & 0xffff, cycles, word >> 8); nz = a = x = cpu.sp = cpu.sp & bus; break; // LAS aby
      case 0xbc: pc += 3; cycles += 4; t = word + x; cycles += ((t ^ word) >> 8) & 1; bus = read(t & 0xffff, cycles, word >> 8); nz = y = bus; break; // LDY abx
      case 0xbd: pc += 3; cycles += 4; t = word + x; cycles += ((t ^ word) >> 8) & 1; bus = read(t & 0xffff, cycles, word >> 8); nz = a = bus; break; // LDA abx
      case 0xbe: pc += 3; cycles += 4; t = word + y; cycles += ((t ^ word) >> 8) & 1; bus = read(t & 0xffff, cycles, word >> 8); nz = x = bus; break; // LDX aby
      case 0xbf: pc += 3; cycles += 4; t = word + y; cycles += ((t ^ word) >> 8) & 1; bus = read(t & 0xffff, cycles, word >> 8); nz = a = x = bus; break; // LAX aby
      case 0xc0: pc += 2; cycles += 2; bus = o1; t = y - bus; carry = i32(t >= 0); nz = t & 0xff; break; // CPY imm
      case 0xc1: pc += 2; cycles += 6; t = pointer((o1 + x) & 0xff, cycles, o1); bus = read(t, cycles, t >> 8); t = a - bus; carry = i32(t >= 0); nz = t & 0xff; break; // CMP izx
      case 0xc2: pc += 2; cycles += 2; bus = o1; break; // NOP imm
      case 0xc3: pc += 2; cycles += 8; word = pointer((o1 + x) & 0xff, cycles, o1); bus = read(word, cycles, word >> 8); nz = bus = (bus - 1) & 0xff; cycles = write(word, bus, cycles); t = a - bus; carry = i32(t >= 0); nz = t & 0xff; break; // DCP izx
      case 0xc4: pc += 2; cycles += 3; bus = readZero(o1, cycles, o1); t = y - bus; carry = i32(t >= 0); nz = t & 0xff; break; // CPY zp
      case 0xc5: pc += 2; cycles += 3; bus = readZero(o1, cycles, o1); t = a - bus; carry = i32(t >= 0); nz = t & 0xff; break; // CMP zp
      case 0xc6: pc += 2; cycles += 5; bus = readZero(o1, cycles, o1); nz = bus = (bus - 1) & 0xff; cycles = writeZero(o1, bus, cycles); break; // DEC zp
      case 0xc7: pc += 2; cycles += 5; bus = readZero(o1, cycles, o1); nz = bus = (bus - 1) & 0xff; cycles = writeZero(o1, bus, cycles); t = a - bus; carry = i32(t >= 0); nz = t & 0xff; break; // DCP zp
      case 0xc8: pc += 1; cycles += 2; nz = y = (y + 1) & 0xff; break; // INY
      case 0xc9: pc += 2; cycles += 2; bus = o1; t = a - bus; carry = i32(t >= 0); nz = t & 0xff; break; // CMP imm
      case 0xca: pc += 1; cycles += 2; nz = x = (x - 1) & 0xff; break; // DEX
      case 0xcb: pc += 2; cycles += 2; bus = o1; t = (a & x) - bus; carry = i32(t >= 0); nz = x = t & 0xff; break; // SBX imm
      case 0xcc: pc += 3; cycles += 4; bus = read(word, cycles, word >> 8); t = y - bus; carry = i32(t >= 0); nz = t & 0xff; break; // CPY abs
      case 0xcd: pc += 3; cycles += 4; bus = read(word, cycles, word >> 8); t = a - bus; carry = i32(t >= 0); nz = t & 0xff; break; // CMP abs
      case 0xce: pc += 3; cycles += 6; bus = read(word, cycles, word >> 8); nz = bus = (bus - 1) & 0xff; cycles = write(word, bus, cycles); break; // DEC abs
      case 0xcf: pc += 3; cycles += 6; bus = read(word, cycles, word >> 8); nz = bus = (bus - 1) & 0xff; cycles = write(word, bus, cycles); t = a - bus; carry = i32(t >= 0); nz = t & 0xff; break; // DCP abs
      case 0xd0: pc += 2; cycles += 2; bus = o1; if (nz & 0xff) { t = pc + ((o1 << 24) >> 24); cycles += 1 + i32(((t ^ pc) & 0xff00) != 0); pc = t; } break; // BNE rel
      case 0xd1: pc += 2; cycles += 5; word = pointer(o1, cycles, o1); t = word + y; cycles += ((t ^ word) >> 8) & 1; bus = read(t & 0xffff, cycles, word >> 8); t = a - bus; carry = i32(t >= 0); nz = t & 0xff; break; // CMP izy
      case 0xd2: pc += 1; cpu.jammed = 1; machine.left = 0; break; // KIL
      case 0xd3: pc += 2; cycles += 8; word = pointer(o1, cycles, o1); bus = read((word + y) & 0xffff, cycles, word >> 8); nz = bus = (bus - 1) & 0xff; cycles = write((word + y) & 0xffff, bus, cycles); t = a - bus; carry = i32(t >= 0); nz = t & 0xff; break; // DCP izy
      case 0xd4: pc += 2; cycles += 4; bus = readZero((o1 + x) & 0xff, cycles, o1); break; // NOP zpx
      case 0xd5: pc += 2; cycles += 4; bus = readZero((o1 + x) & 0xff, cycles, o1); t = a - bus; carry = i32(t >= 0); nz = t & 0xff; break; // CMP zpx
      case 0xd6: pc += 2; cycles += 6; word = (o1 + x) & 0xff; bus = readZero(word, cycles, o1); nz = bus = (bus - 1) & 0xff; cycles = writeZero(word, bus, cycles); break; // DEC zpx
      case 0xd7: pc += 2; cycles += 6; word = (o1 + x) & 0xff; bus = readZero(word, cycles, o1); nz = bus = (bus - 1) & 0xff; cycles = writeZero(word, bus, cycles); t = a - bus; carry = i32(t >= 0); nz = t & 0xff; break; // DCP zpx
      case 0xd8: pc += 1; cycles += 2; cpu.decimal = 0; break; // CLD
      case 0xd9: pc += 3; cycles += 4; t = word + y; cycles += ((t ^ word) >> 8) & 1; bus = read(t & 0xffff, cycles, word >> 8); t = a - bus; carry = i32(t >= 0); nz = t & 0xff; break; // CMP aby
      case 0xda: pc += 1; cycles += 2;  break; // NOP
      case 0xdb: pc += 3; cycles += 7; bus = read((word + y) & 0xffff, cycles, word >> 8); nz = bus = (bus - 1) & 0xff; cycles = write((word + y) & 0xffff, bus, cycles); t = a - bus; carry = i32(t >= 0); nz = t & 0xff; break; // DCP aby
      case 0xdc: pc += 3; cycles += 4; t = word + x; cycles += ((t ^ word) >> 8) & 1; bus = read(t & 0xffff, cycles, word >> 8); break; // NOP abx
      case 0xdd: pc += 3; cycles += 4; t = word + x; cycles += ((t ^ word) >> 8) & 1; bus = read(t & 0xffff, cycles, word >> 8); t = a - bus; carry = i32(t >= 0); nz = t & 0xff; break; // CMP abx
      case 0xde: pc += 3; cycles += 7; bus = read((word + x) & 0xffff, cycles, word >> 8); nz = bus = (bus - 1) & 0xff; cycles = write((word + x) & 0xffff, bus, cycles); break; // DEC abx
      case 0xdf: pc += 3; cycles += 7; bus = read((word + x) & 0xffff, cycles, word >> 8); nz = bus = (bus - 1) & 0xff; cycles = write((word + x) & 0xffff, bus, cycles); t = a - bus; carry = i32(t >= 0); nz = t & 0xff; break; // DCP abx
      case 0xe0: pc += 2; cycles += 2; bus = o1; t = x - bus; carry = i32(t >= 0); nz = t & 0xff; break; // CPX imm
      case 0xe1: pc += 2; cycles += 6; t = pointer((o1 + x) & 0xff, cycles, o1); bus = read(t, cycles, t >> 8); t = sbc(a, bus, carry, cpu.decimal); nz = a = t & 0xff; carry = (t >> 8) & 1; cpu.overflow = t >> 9; break; // SBC izx
      case 0xe2: pc += 2; cycles += 2; bus = o1; break; // NOP imm
      case 0xe3: pc += 2; cycles += 8; word = pointer((o1 + x) & 0xff, cycles, o1); bus = read(word, cycles, word >> 8); nz = bus = (bus + 1) & 0xff; cycles = write(word, bus, cycles); t = sbc(a, bus, carry, cpu.decimal); nz = a = t & 0xff; carry = (t >> 8) & 1; cpu.overflow = t >> 9; break; // ISB izx
      case 0xe4: pc += 2; cycles += 3; bus = readZero(o1, cycles, o1); t = x - bus; carry = i32(t >= 0); nz = t & 0xff; break; // CPX zp
      case 0xe5: pc += 2; cycles += 3; bus = readZero(o1, cycles, o1); t = sbc(a, bus, carry, cpu.decimal); nz = a = t & 0xff; carry = (t >> 8) & 1; cpu.overflow = t >> 9; break; // SBC zp
      case 0xe6: pc += 2; cycles += 5; bus = readZero(o1, cycles, o1); nz = bus = (bus + 1) & 0xff; cycles = writeZero(o1, bus, cycles); break; // INC zp
      case 0xe7: pc += 2; cycles += 5; bus = readZero(o1, cycles, o1); nz = bus = (bus + 1) & 0xff; cycles = writeZero(o1, bus, cycles); t = sbc(a, bus, carry, cpu.decimal); nz = a = t & 0xff; carry = (t >> 8) & 1; cpu.overflow = t >> 9; break; // ISB zp
      case 0xe8: pc += 1; cycles += 2; nz = x = (x + 1) & 0xff; break; // INX
      case 0xe9: pc += 2; cycles += 2; bus = o1; t = sbc(a, bus, carry, cpu.decimal); nz = a = t & 0xff; carry = (t >> 8) & 1; cpu.overflow = t >> 9; break; // SBC imm
      case 0xea: pc += 1; cycles += 2;  break; // NOP
      case 0xeb: pc += 2; cycles += 2; bus = o1; t = sbc(a, bus, carry, cpu.decimal); nz = a = t & 0xff; carry = (t >> 8) & 1; cpu.overflow = t >> 9; break; // SBC imm
      case 0xec: pc += 3; cycles += 4; bus = read(word, cycles, word >> 8); t = x - bus; carry = i32(t >= 0); nz = t & 0xff; break; // CPX abs
      case 0xed: pc += 3; cycles += 4; bus = read(word, cycles, word >> 8); t = sbc(a, bus, carry, cpu.decimal); nz = a = t & 0xff; carry = (t >> 8) & 1; cpu.overflow = t >> 9; break; // SBC abs
      case 0xee: pc += 3; cycles += 6; bus = read(word, cycles, word >> 8); nz = bus = (bus + 1) & 0xff; cycles = write(word, bus, cycles); break; // INC abs
      case 0xef: pc += 3; cycles += 6; bus = read(word, cycles, word >> 8); nz = bus = (bus + 1) & 0xff; cycles = write(word, bus, cycles); t = sbc(a, bus, carry, cpu.decimal); nz = a = t & 0xff; carry = (t >> 8) & 1; cpu.overflow = t >> 9; break; // ISB abs
      case 0xf0: pc += 2; cycles += 2; bus = o1; if (!(nz & 0xff)) { t = pc + ((o1 << 24) >> 24); cycles += 1 + i32(((t ^ pc) & 0xff00) != 0); pc = t; } break; // BEQ rel
      case 0xf1: pc += 2; cycles += 5; word = pointer(o1, cycles, o1); t = word + y; cycles += ((t ^ word) >> 8) & 1; bus = read(t & 0xffff, cycles, word >> 8); t = sbc(a, bus, carry, cpu.decimal); nz = a = t & 0xff; carry = (t >> 8) & 1; cpu.overflow = t >> 9; break; // SBC izy
      case 0xf2: pc += 1; cpu.jammed = 1; machine.left = 0; break; // KIL
      case 0xf3: pc += 2; cycles += 8; word = pointer(o1, cycles, o1); bus = read((word + y) & 0xffff, cycles, word >> 8); nz = bus = (bus + 1) & 0xff; cycles = write((word + y) & 0xffff, bus, cycles); t = sbc(a, bus, carry, cpu.decimal); nz = a = t & 0xff; carry = (t >> 8) & 1; cpu.overflow = t >> 9; break; // ISB izy
      case 0xf4: pc += 2; cycles += 4; bus = readZero((o1 + x) & 0xff, cycles, o1); break; // NOP zpx
      case 0xf5: pc += 2; cycles += 4; bus = readZero((o1 + x) & 0xff, cycles, o1); t = sbc(a, bus, carry, cpu.decimal); nz = a = t & 0xff; carry = (t >> 8) & 1; cpu.overflow = t >> 9; break; // SBC zpx
      case 0xf6: pc += 2; cycles += 6; word = (o1 + x) & 0xff; bus = readZero(word, cycles, o1); nz = bus = (bus + 1) & 0xff; cycles = writeZero(word, bus, cycles); break; // INC zpx
      case 0xf7: pc += 2; cycles += 6; word = (o1 + x) & 0xff; bus = readZero(word, cycles, o1); nz = bus = (bus + 1) & 0xff; cycles = writeZero(word, bus, cycles); t = sbc(a, bus, carry, cpu.decimal); nz = a = t & 0xff; carry = (t >> 8) & 1; cpu.overflow = t >> 9; break; // ISB zpx
      case 0xf8: pc += 1; cycles += 2; cpu.decimal = 1; break; // SED
      case 0xf9: pc += 3; cycles += 4; t = word + y; cycles += ((t ^ word) >> 8) & 1; bus = read(t & 0xffff, cycles, word >> 8); t = sbc(a, bus, carry, cpu.decimal); nz = a = t & 0xff; carry = (t >> 8) & 1; cpu.overflow = t >> 9; break; // SBC aby
      case 0xfa: pc += 1; cycles += 2;  break; // NOP
      case 0xfb: pc += 3; cycles += 7; bus = read((word + y) & 0xffff, cycles, word >> 8); nz = bus = (bus + 1) & 0xff; cycles = write((word + y) & 0xffff, bus, cycles); t = sbc(a, bus, carry, cpu.decimal); nz = a = t & 0xff; carry = (t >> 8) & 1; cpu.overflow = t >> 9; break; // ISB aby
      case 0xfc: pc += 3; cycles += 4; t = word + x; cycles += ((t ^ word) >> 8) & 1; bus = read(t & 0xffff, cycles, word >> 8); break; // NOP abx
      case 0xfd: pc += 3; cycles += 4; t = word + x; cycles += ((t ^ word) >> 8) & 1; bus = read(t & 0xffff, cycles, word >> 8); t = sbc(a, bus, carry, cpu.decimal); nz = a = t & 0xff; carry = (t >> 8) & 1; cpu.overflow = t >> 9; break; // SBC abx
      case 0xfe: pc += 3; cycles += 7; bus = read((word + x) & 0xffff, cycles, word >> 8); nz = bus = (bus + 1) & 0xff; cycles = write((word + x) & 0xffff, bus, cycles); break; // INC abx
      case 0xff: pc += 3; cycles += 7; bus = read((word + x) & 0xffff, cycles, word >> 8); nz = bus = (bus + 1) & 0xff; cycles = write((word + x) & 0xffff, bus, cycles); t = sbc(a, bus, carry, cpu.decimal); nz = a = t & 0xff; carry = (t >> 8) & 1; cpu.overflow = t >> 9; break; // ISB abx
    }
    cpu.bus = bus;
  } while (--machine.left > 0);
  machine.left = 0;
  cpu.pc = pc & 0xffff;
  cpu.a = a;
  cpu.x = x;
  cpu.y = y;
  cpu.nz = nz;
  cpu.carry = carry;
  cpu.cycles = cycles;
}
