import { sha256Hex } from '../../evidence/identity/sha256';
import { DEMO_HEIGHT, DEMO_SCREENS, DEMO_WIDTH, type DemoScreen, drawDemoScreen } from './demo-screens';
import type { Manifest } from './manifest';
import { DEMO_PROFILE } from './profile';
import { MANIFEST_VERSION } from './protocol';

const TASKS: { readonly [screen in DemoScreen]: string } = {
  'tide-table':
    'Find the second high water in the table of tideboard.example. Only use http://tideboard.example.',
  'tide-chart': 'Open the chart on Tide Board and note the lowest water of the week.',
  'tide-about': 'On the about page of tideboard.example, count the harbors that the board lists.',
  'seed-shelf': 'On seedshop.example, put the second packet of the shelf into the basket.',
  'seed-basket': 'In the basket of Seed Shop, change the number of packets in the first line to three.',
};

const pictures = new Map<string, Uint8Array<ArrayBuffer>>();
let made: Manifest | null = null;

/**
 * The manifest of the demo set: the published form under a data set id of its own, with the digests of the five pictures
 * that are drawn here. fixtures/vision-controls/demo-manifest.json holds the same, written once.
 */
export function demoManifest(): Manifest {
  if (made !== null) return made;
  const { dataset_id, license, families, visual } = DEMO_PROFILE;
  made = {
    manifest_version: MANIFEST_VERSION,
    dataset_id,
    license,
    split: 'demo',
    source: 'drawn',
    screenshot_index: 0,
    visual_question: visual.name,
    gold_provenance: {
      category: 'annotation',
      requires_login: 'annotation',
      [visual.name]: 'manual_visual',
    },
    notes: [
      'Demo pictures, drawn by code: both sites are invented and no screen was captured.',
      'They show how the experiment works. They stand in for no published picture.',
    ],
    rows: DEMO_SCREENS.map((screen, index) => {
      const bytes = drawDemoScreen(screen);
      const sha256 = sha256Hex(bytes);
      pictures.set(`sha256:${sha256}`, bytes);
      const family = screen.startsWith('tide') ? families[0] : families[1];
      return {
        unique_data_id: `demo-${screen}`,
        stream_order: index,
        task_name: TASKS[screen],
        visual_family: family,
        screenshot: {
          file_name: `demo-${screen}.png`,
          index: 0,
          source_path: `${screen}.png`,
          mime_type: 'image/png',
          sha256,
          byte_count: bytes.length,
          width: DEMO_WIDTH,
          height: DEMO_HEIGHT,
        },
        expected: {
          category: 'BROWSER_TASK',
          requires_login: false,
          [visual.name]: family === families[0],
        },
      };
    }),
  };
  return made;
}

/** A demo picture by its digest (`sha256:…`), null for any other. */
export function demoPicture(sha256: string): Uint8Array<ArrayBuffer> | null {
  demoManifest();
  return pictures.get(sha256) ?? null;
}
