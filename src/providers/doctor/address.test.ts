import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readAddress, shownAddress, spaceOf, spaceOfOrigin } from './address';

const USUAL = 'http://localhost:11434';

describe('an address', () => {
  it.each([
    ['http://localhost:11434', { base: USUAL, port: 11434, space: 'this machine', numeric: false }],
    [' http://localhost:11434// ', { base: USUAL }],
    ['https://10.1.2.3', { port: 443, secure: true, space: 'local network', numeric: true }],
    ['http://[::1]:8080/proxy', { base: 'http://[::1]:8080/proxy', space: 'this machine', numeric: true }],
  ])('%s can be asked', (typed, expected) => {
    expect(readAddress(typed, USUAL)).toMatchObject(expected);
  });

  it.each([
    ['localhost:11434', /begin with http/, 'http://localhost:11434'],
    ['', /begin with http/, null],
    ['ftp://localhost', /begin with http/, null],
    ['http://0.0.0.0:11434', /where a server listens/, 'http://127.0.0.1:11434'],
    ['http://[::]', /where a server listens/, 'http://127.0.0.1'],
    ['http://localhost:6667', /port 6667/, USUAL],
    ['http://localhost:11434/api/chat', /ends with \/api\/chat/, 'http://localhost:11434'],
    ['http://localhost:8000/v1/', /ends with \/v1/, 'http://localhost:8000'],
    ['http://localhost:8000/v1/chat/completions', /ends with \/v1\/chat/, 'http://localhost:8000'],
    ['http://me:secret@localhost', /a name or a password/, null],
  ])('%s cannot', (typed, fault, meant) => {
    const read = readAddress(typed, USUAL);
    expect('fault' in read ? read.fault : 'read').toMatch(fault);
    expect(read).toMatchObject({ meant });
  });

  it('may end with the first part of what is asked there', () => {
    const read = (typed: string) => readAddress(typed, 'http://localhost:8000', '/v1/models');
    expect(read('http://localhost:8000/v1')).toMatchObject({ base: 'http://localhost:8000/v1' });
    expect(read('http://localhost:8000/api')).toMatchObject({ meant: 'http://localhost:8000' });
  });

  it('may end as the usual one does', () => {
    expect(readAddress('https://relay.example/v1', 'https://api.example.com/v1')).toMatchObject({
      base: 'https://relay.example/v1',
    });
  });

  it.each([
    ['127.8.9.10', 'this machine'],
    ['a.localhost', 'this machine'],
    ['[::1]', 'this machine'],
    ['172.16.0.1', 'local network'],
    ['172.32.0.1', 'internet'],
    ['169.254.1.1', 'local network'],
    ['[fd00::1]', 'local network'],
    ['[fe80::1]', 'local network'],
    ['[2001:db8::1]', 'internet'],
    ['box.local', 'local network'],
    ['box', 'local network'],
    ['example.org', 'internet'],
    ['127.0.0.1.example.org', 'internet'],
  ])('%s is %s', (host, space) => {
    expect(spaceOf(host)).toBe(space);
  });

  it('of a page without an origin is the farthest', () => {
    expect(spaceOfOrigin('null')).toBe('internet');
    expect(spaceOfOrigin('http://localhost:4173')).toBe('this machine');
  });

  it('is shown without what may be a secret', () => {
    expect(shownAddress('http://me:secret@host/path?key=secret#secret')).toBe('http://host/path');
    expect(shownAddress('me:secret@host')).toBe('host');
    fc.assert(
      fc.property(fc.webUrl({ withQueryParameters: true, withFragments: true }), (url) => {
        expect(shownAddress(url)).not.toMatch(/[?#]/);
      }),
    );
  });

  it('is read or refused, whatever is typed', () => {
    fc.assert(
      fc.property(fc.string(), (typed) => {
        const read = readAddress(typed, USUAL);
        expect('fault' in read || /^https?:\/\//i.test(read.base)).toBe(true);
      }),
    );
  });
});
