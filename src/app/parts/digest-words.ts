/** What each of the two digests of a run says. */
export const ROOT_SAYS = 'Root: what was found, the same for the same plan and replies anywhere.';
export const RECORD_SAYS = 'Record: this very run, with every file, its clock and latencies.';
