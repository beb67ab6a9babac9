import type { CartridgeProperties } from './properties';

/** MD5, name, the actions that mean something in the game as base-18 digits, and properties other than the default. */
type Row = readonly [md5: string, name: string, actions: string, properties?: Partial<CartridgeProperties>];

/**
 * The 108 images of the reference's ROM set. Measured from ale_py 0.12.1 (fixtures/atari/rom-table.json); the two
 * paddle ranges are read from the emulator state that it serialises.
 */
const ROWS: readonly Row[] = [
  ['4b27f5397c442d25f0c418ccdacf1926', 'adventure', '0123456789abcdefgh', { controller_right: 'NONE' }],
  ['35be55426c1fec32dfb503b4f0651572', 'air_raid', '0134bc'],
  ['f1a0a23e6464d954e3a9579c4ccd01c8', 'alien', '0123456789abcdefgh'],
  [
    'acb7750b4d0c4bd34969802a7deb2990',
    'amidar',
    '012345abcd',
    { controller_right: 'NONE', left_difficulty: 'A', right_difficulty: 'A' },
  ],
  ['de78b3a064d374390ac0710f95edde92', 'assault', '01234bc'],
  ['89a68746eff7f266bbf08de2483abe55', 'asterix', '023456789'],
  ['ccbd36746ed4525821a8083b0d6d2c2c', 'asteroids', '01234567abcdef', { hmove_blanks: 'NO' }],
  ['9ad36e699ef6f45d9eb6c4cf90475c9f', 'atlantis', '01bc'],
  ['826481f6fc53ea47c9f272f7050eedf7', 'atlantis2', '01bc'],
  [
    '8556b42aa05f94bc29ff39c39b11bff4',
    'backgammon',
    '134',
    { controller_left: 'PADDLES', paddle_high: 1000000 },
  ],
  ['00ce0bdd43aed84a983bef38fe7f5ee3', 'bank_heist', '0123456789abcdefgh'],
  ['819aeeb9a2e11deb54e6de334f843894', 'basic_math', '012345'],
  ['41f252a66c6301f1e8ab3612c19bc5d4', 'battle_zone', '0123456789abcdefgh', { hmove_blanks: 'NO' }],
  ['79ab4123a83dc11d468fb2108ea09e2e', 'beam_rider', '0123467bc'],
  ['136f75c4dd02c29283752b7e5799f978', 'berzerk', '0123456789abcdefgh'],
  [
    '0a981c03204ac2b278ba392674682560',
    'blackjack',
    '0125',
    { controller_left: 'PADDLES', paddle_high: 795000 },
  ],
  ['c9b7afad3bfd922e006a6bfc1d4f3fe7', 'bowling', '0125ad'],
  ['c3ef5c4653212088eda54dc91d787870', 'boxing', '0123456789abcdefgh'],
  ['f34f08e5eb96e500e851a80be3277a56', 'breakout', '0134', { controller_left: 'PADDLES' }],
  ['028024fb8e5e5f18ea586652f9799c96', 'carnival', '0134bc', { ystart: 26, height: 214 }],
  ['b816296311019ab69a21cb9e9e235d12', 'casino', '0125', { controller_left: 'PADDLES' }],
  ['91c2098e88a6b13f977af8c003e0bca5', 'centipede', '0123456789abcdefgh'],
  ['c1cb228470a87beb5f36e90ac745da26', 'chopper_command', '0123456789abcdefgh'],
  ['0ef64cdbecccb7049752a3de0b7ade14', 'combat', '0123456789abcdefgh', { ystart: 39, height: 256 }],
  ['55ef7b65066428367844342ed59f956c', 'crazy_climber', '023456789'],
  ['8cd26dcf249456fe4aeb8db42d49df74', 'crossbow', '0123456789abcdefgh'],
  ['106855474c69d08c8ffa308d47337269', 'darkchambers', '0123456789abcdefgh', { hmove_blanks: 'NO' }],
  ['0f643c34e40e3f1daafd9c524d3ffe64', 'defender', '0123456789abcdefgh'],
  ['f0e0addc07971561ab80d9abe1b8d333', 'demon_attack', '0134bc'],
  ['36b20c427975760cb9cf4a47e41369e4', 'donkey_kong', '0123456789abcdefgh'],
  ['368d88a6c071caba60b4f778615aae94', 'double_dunk', '0123456789abcdefgh'],
  ['5aea9974b975a6a844e6df10d2b861c4', 'earthworld', '0123456789abcdefgh'],
  ['71f8bacfbdca019113f3f0801849057e', 'elevator_action', '0123456789abcdefgh'],
  ['94b92a882f6dbaa6993a46e2dcc58402', 'enduro', '0134589bc'],
  ['6b683be69f92958abe0e2a9945157ad5', 'entombed', '0123456789abcdefgh'],
  ['615a3bf251a38eb6638cdc7ffbde5480', 'et', '0123456789abcdefgh'],
  ['b8865f05676e64f3bec72b9defdacfa7', 'fishing_derby', '0123456789abcdefgh'],
  ['30512e0e83903fc05541d2f6a6a62654', 'flag_capture', '0123456789abcdefgh'],
  ['8e0ab801b1705a740b476b7f588c6d16', 'freeway', '025'],
  ['081e2c114c9c20b61acf25fc95c71bf4', 'frogger', '02345'],
  ['4ca73eb959299471788f0b685c3ba0b5', 'frostbite', '0123456789abcdefgh'],
  ['211774f4c5739042618be8ff67351177', 'galaxian', '0134bc'],
  ['c16c79aad6272baffb8aae9a7fff0864', 'gopher', '01234abc'],
  ['8ac18076d01a6b63acf6e2cab4968940', 'gravitar', '0123456789abcdefgh'],
  ['f16c709df0a6c52f47ff52b9d95b7d8d', 'hangman', '0123456789abcdefgh'],
  ['f0a6e99f5875891246c3dbecbf2d2cea', 'haunted_house', '0123456789abcdefgh'],
  ['fca4a5be1251927027f2c24774a02160', 'hero', '0123456789abcdefgh'],
  ['7972e5101fa548b952d852db24ad6060', 'human_cannonball', '0123456789abcdefgh'],
  ['a4c08c4994eb9d24fb78be1793e82e26', 'ice_hockey', '0123456789abcdefgh'],
  ['e51030251e440cffaab1ac63438b44ae', 'jamesbond', '0123456789abcdefgh'],
  ['718ae62c70af4e5fd8e932fee216948a', 'journey_escape', '023456789bcdefgh', { height: 230 }],
  ['3276c777cbe97cdd2b4a63ffc16b7151', 'joust', '0123456789abcdefgh'],
  ['5428cdfada281c569c74c7308c7f2c26', 'kaboom', '0134', { controller_left: 'PADDLES' }],
  ['4326edb70ff20d0ee5ba58fa5cb09d60', 'kangaroo', '0123456789abcdefgh'],
  ['6c1f3f2e359dbf55df462ccbcdd2f6bf', 'keystone_kapers', '0123456789abcd'],
  ['0dd4c69b5f9a7ae96a7a08329496779a', 'king_kong', '012345'],
  ['eed9eaf1a0b6a2b9bc4c8032cb43e3fb', 'klax', '0123456789abcdefgh'],
  ['534e23210dd1993c828d944c6ac4d9fb', 'koolaid', '023456789'],
  ['4baada22435320d185c95b7dd2bcdb24', 'krull', '0123456789abcdefgh'],
  ['5b92a93b23523ff16e2789b820e2a4c5', 'kung_fu_master', '0234589bcdefgh'],
  ['8e4cd60d93fcde8065c1a2b972a26377', 'laser_gates', '0123456789abcdefgh'],
  ['2d76c5d1aad506442b9e9fb67765e051', 'lost_luggage', '023456789'],
  ['e908611d99890733be31733a979c62d8', 'mario_bros', '0123456789abcdefgh'],
  ['ed2218b3075d15eaa34e3356025ccca3', 'maze_craze', '0123456789abcdefgh', { format: 'PAL' }],
  ['df62a658496ac98a3aa4a6ee5719c251', 'miniature_golf', '0123456789abcdefgh'],
  ['3347a6dd59049b15a38394aa2dafa585', 'montezuma_revenge', '0123456789abcdefgh'],
  ['aa7bb54d2c189a31bb1fa20099e42859', 'mr_do', '012345abcd'],
  ['87e79cd41ce136fd4f72cc6e2c161bee', 'ms_pacman', '023456789', { hmove_blanks: 'NO' }],
  ['36306070f0c90a72461551a7a4f3a209', 'name_this_game', '0134bc'],
  ['113cd09c9771ac278544b7e90efe7df2', 'othello', '0123456789'],
  ['fc2233fc116faef0d3c31541717ca2db', 'pacman', '02345'],
  ['7e52a95074a66640fcfde124fffd491a', 'phoenix', '01345bcd'],
  ['3e90cf23106f2e08b2781e41299de556', 'pitfall', '0123456789abcdefgh'],
  ['6d842c96d5a01967be9680080dd5be54', 'pitfall2', '0123456789abcdefgh'],
  [
    '60e0ea3cbe0913d39803477945e9e5ec',
    'pong',
    '0134bc',
    { controller_left: 'PADDLES', controller_right: 'PADDLES', swap_paddles: 'YES' },
  ],
  ['4799a40b6e889370b7ee55c17ba65141', 'pooyan', '0125ad', { ystart: 26, height: 220 }],
  ['ef3a4f64b6494ba770862768caf04b86', 'private_eye', '0123456789abcdefgh'],
  ['484b0076816a104875e00467d431c2d2', 'qbert', '012345', { ystart: 40 }],
  ['393948436d1f4cc3192410bb918f9724', 'riverraid', '0123456789abcdefgh'],
  ['ce5cc62608be2cd3ed8abd844efb8919', 'road_runner', '0123456789abcdefgh'],
  ['4f618c2429138e0280969193ed6c107e', 'robotank', '0123456789abcdefgh'],
  ['240bfbac5163af4df5ae713985386f92', 'seaquest', '0123456789abcdefgh'],
  ['dd0cbe5351551a538414fb9e37fc56e8', 'sir_lancelot', '0134bc'],
  ['b76fbadc8ffb1f83e2ca08b6fb4d6c9f', 'skiing', '034'],
  ['e72eb8d4410152bdcb69e7fba327b420', 'solaris', '0123456789abcdefgh'],
  ['72ffbef6504b75e69ee1045af9075f66', 'space_invaders', '0134bc'],
  ['b702641d698c60bcdc922dbd8c9dd49c', 'space_war', '0123456789abcdefgh'],
  ['a3c1c70024d7aabb41381adbfb6d3b25', 'star_gunner', '0123456789abcdefgh'],
  ['a9531c763077464307086ec9a1fd057d', 'superman', '0123456789abcdefgh'],
  ['4d7517ae69f95cfbc053be01312b7dba', 'surround', '02345', { swap_ports: 'YES' }],
  ['42cdd6a9e42a3639e190722b8ea3fc51', 'tennis', '0123456789abcdefgh'],
  ['b0e1ee07fbc73493eac5651a52f90f00', 'tetris', '01345'],
  ['0db4f4150fecf77e4ce72ca4d04c052f', 'tic_tac_toe_3d', '0123456789'],
  ['fc2104dd2dadf9a6176c1c1c8f87ced9', 'time_pilot', '012345abcd'],
  ['fb27afe896e7c928089307b32e5642ee', 'trondead', '0123456789abcdefgh'],
  ['7a5463545dfb2dcfdafa6074b2f2c15e', 'turmoil', '0123456789bc'],
  ['085322bae40d904f53bdcc56df0593fc', 'tutankham', '02345abc'],
  ['a499d720e7ee35c62424de882a3351b6', 'up_n_down', '0125ad', { ystart: 30 }],
  ['3e899eba0ca8cd2972da1ae5479b4f0d', 'venture', '0123456789abcdefgh'],
  ['539d26b6e9df0da8e7465f0f5ad863b7', 'video_checkers', '16789'],
  ['f0b7db930ca0e548c41a97160b9f6275', 'video_chess', '0123456789'],
  ['3f540a30fdee0b20aed7288e4a5ea528', 'video_cube', '0123456789abcdefgh'],
  ['107cc025334211e6d29da0b6be46aec7', 'video_pinball', '012345abc'],
  [
    'cbe5a166550a8129a5e6d374901dffad',
    'warlords',
    '0123456789abcdefgh',
    { controller_left: 'PADDLES', controller_right: 'PADDLES' },
  ],
  ['7e8aa18bc9502eb57daaf5e7c1e94da7', 'wizard_of_wor', '012345abcd', { swap_ports: 'YES' }],
  ['ec3beb6d8b5689e867bafb5d5f507491', 'word_zapper', '0123456789abcdefgh'],
  ['c5930d0e8cdae3e037349bfa08e871be', 'yars_revenge', '0123456789abcdefgh'],
  ['eea0da9b987d661264cce69a7c13c3bd', 'zaxxon', '0123456789abcdefgh'],
];

export interface KnownRom {
  readonly name: string;
  /** Name of the game by whose rules it is played; not every game has its rules here (games/). */
  readonly rules: string;
  /** Numbers of the eighteen actions (actions.ts), ascending. */
  readonly minimalActions: readonly number[];
  readonly properties: Partial<CartridgeProperties>;
}

/** Not of that set: the cartridge of this project (fixtures/cartridge), which keeps to Pong's rules. */
const PADDLE: readonly [md5: string, rom: KnownRom] = [
  'da31be376c27277126e415eccc0b11d3',
  { name: 'paddle', rules: 'pong', minimalActions: [0, 1, 3, 4, 11, 12], properties: {} },
];

const byMd5 = new Map<string, KnownRom>([
  ...ROWS.map(([md5, name, actions, properties]): readonly [string, KnownRom] => [
    md5,
    {
      name,
      rules: name,
      minimalActions: [...actions].map((digit) => Number.parseInt(digit, 18)),
      properties: properties ?? {},
    },
  ]),
  PADDLE,
]);

/** What the table says of an image, null when it is not in it. `md5` is 32 lowercase hexadecimal digits. */
export function knownRom(md5: string): KnownRom | null {
  return byMd5.get(md5) ?? null;
}
