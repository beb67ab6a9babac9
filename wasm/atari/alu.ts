// Arithmetic with more than one result: the low byte, carry in bit 8, overflow in bit 9.
import { BCD_OF, BCD_VALUE } from './layout';

@inline
export function adc(a: i32, m: i32, carry: i32, decimal: i32): i32 {
  if (decimal) return adcDecimal(a, m, carry);
  const sum = a + m + carry;
  return sum | (((a ^ sum) & (m ^ sum) & 0x80) << 2);
}

@inline
export function sbc(a: i32, m: i32, carry: i32, decimal: i32): i32 {
  if (decimal) return sbcDecimal(a, m, carry);
  const n = m ^ 0xff;
  const sum = a + n + carry;
  return sum | (((a ^ sum) & (n ^ sum) & 0x80) << 2);
}

/** In decimal mode both take overflow from the operand's and the result's sign bits as they are. */
@inline
function decimalOverflow(a: i32, m: i32, result: i32): i32 {
  return ((a ^ result) & (result ^ m) & 0x80) << 2;
}

function adcDecimal(a: i32, m: i32, carry: i32): i32 {
  const sum = <i32>load<u8>(BCD_VALUE + a) + <i32>load<u8>(BCD_VALUE + m) + carry;
  const result: i32 = load<u8>(BCD_OF + (sum & 0xff));
  return result | (sum > 99 ? 0x100 : 0) | decimalOverflow(a, m, result);
}

function sbcDecimal(a: i32, m: i32, carry: i32): i32 {
  let difference = <i32>load<u8>(BCD_VALUE + a) - <i32>load<u8>(BCD_VALUE + m) - 1 + carry;
  // Below -100 only with digits above 9, which the reference leaves undefined.
  while (difference < 0) difference += 100;
  const result: i32 = load<u8>(BCD_OF + difference);
  return result | (a >= m + 1 - carry ? 0x100 : 0) | decimalOverflow(a, m, result);
}

/** ARR: AND, then rotate right, with flags of its own. Same packing. */
export function arr(a: i32, m: i32, carry: i32, decimal: i32): i32 {
  const x = a & m;
  let result = (x >> 1) | (carry << 7);
  if (!decimal) return result | ((result & 0x40) << 2) | ((((result >> 6) ^ (result >> 5)) & 1) << 9);
  const overflow = ((x ^ result) & 0x40) << 3;
  if ((x & 15) + (x & 1) > 5) result = (result & 0xf0) | ((result + 6) & 15);
  if ((x & 0xf0) + (x & 0x10) > 0x50) result = ((result + 0x60) & 0xff) | 0x100;
  return result | overflow;
}
