/** The name of a run's exported files, without an ending; a shared link asks for the file under the same name. */
export function exportName({
  run,
  experiment,
}: {
  readonly run: string;
  readonly experiment: string;
}): string {
  return run.startsWith(experiment) ? run : `${experiment}-${run}`;
}
