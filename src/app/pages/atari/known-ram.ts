/** What is known of single bytes of a game's RAM, by the rules it is played by. */
const KNOWN: Readonly<Record<string, Readonly<Record<number, string>>>> = {
  pong: {
    13: 'computer’s score',
    14: 'your score',
    22: 'mode; 0 is one player',
    49: 'ball x + 49',
    50: 'computer’s paddle y + 15',
    51: 'your paddle y + 13',
    54: 'ball y + 14; 0 is no ball',
  },
};

export function knownRam(game: string | null): Readonly<Record<number, string>> {
  return game === null ? {} : (KNOWN[game] ?? {});
}
