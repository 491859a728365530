/**
 * Shares runs of a task among concurrent callers. Each gets the result of a run that started after its call, so it sees
 * everything that was committed before. At most one run is in progress.
 */
export function sharingRuns<Result>(task: () => Promise<Result>): () => Promise<Result> {
  let current: Promise<Result> | undefined
  let next: Promise<Result> | undefined
  const start = (): Promise<Result> => {
    next = undefined
    const run = task().finally(() => {
      current = undefined
    })
    current = run
    return run
  }
  return () => {
    if (!current && !next) return start()
    next ??= (current as Promise<Result>).then(start, start)
    return next
  }
}
