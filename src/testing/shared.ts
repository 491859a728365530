/** Slow resources are opened once for all test files of a process. */
const closers: (() => Promise<void>)[] = []
let isKept = false

/** Keeps open what files share until `closeShared`, because more files follow in this process. */
export function keepShared(): void {
  isKept = true
}

/** Closes something after the last file of the process. */
export function closeAfterFiles(close: () => Promise<void>): void {
  closers.push(close)
}

/** Closes what files share, unless more files follow. */
export async function fileEnded(): Promise<void> {
  if (!isKept) await closeShared()
}

/** Closes what files share. */
export async function closeShared(): Promise<void> {
  const ends = await Promise.allSettled(closers.splice(0).map((close) => close()))
  for (const end of ends) if (end.status === 'rejected') throw end.reason
}
