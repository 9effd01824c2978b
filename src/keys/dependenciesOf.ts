/** The set of children that a job of any queue waits for, by the job's full key, as parent references store it. */
export const dependenciesOf = (jobKey: string): string => `${jobKey}:dependencies`;
