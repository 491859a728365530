import { Unavailable } from '#src/platform/errors.ts'
import { isDatabaseDown, isLockTimeout, isOutOfResources, isReadOnly, isTimeout } from './errors.ts'
import { isPinned } from './pinned-connection.ts'

const MAX_ITEMS = 32
/** While the database works on one statement, the process collects the next. */
const MAX_STATEMENTS = 2
/** As long as a statement waits for a connection. */
const MAX_WAIT_MS = 10_000

interface Call<Item, Result> {
  item: Item
  since: number
  resolve(result: Result): void
  reject(error: unknown): void
}

interface Group<Item, Result> {
  waiting: Call<Item, Result>[]
  statements: number
  /** The items of the statements that run. */
  running: number
}

/** A second statement starts when it is as large as the first; otherwise many small ones would run next to a large one. */
const mayStart = <Item, Result>({ waiting, statements, running }: Group<Item, Result>): boolean =>
  statements === 0 || (statements < MAX_STATEMENTS && waiting.length >= running)

/**
 * Calls that arrive while others run share the next statement (docs/adr/0025). One that finds nothing running starts at
 * once, alone. If a shared statement fails, its items are repeated one by one, so that only the wrong ones fail.
 * @throws Unavailable if an item has waited ten seconds for its statement to start
 * @param runStatement executes one statement for several items and returns their results in the same order
 * @param groupOf the name of the item's group: groups do not share statements, nor wait for each other's locks
 */
export function sharingStatements<Item, Result>(
  runStatement: (items: Item[]) => Promise<Result[]>,
  groupOf: (item: Item) => string,
): (item: Item) => Promise<Result> {
  const groups = new Map<string, Group<Item, Result>>()
  const run = async (calls: Call<Item, Result>[]): Promise<void> => {
    try {
      const results = await runStatement(calls.map(({ item }) => item))
      for (const [index, { resolve }] of calls.entries()) resolve(results[index] as Result)
    } catch (error) {
      if (calls.length === 1 || concernsAll(error)) for (const { reject } of calls) reject(error)
      else for (const call of calls) await run([call])
    }
  }
  const start = (name: string, group: Group<Item, Result>): void => {
    rejectLate(group)
    while (group.waiting.length > 0 && mayStart(group)) {
      const calls = group.waiting.splice(0, MAX_ITEMS)
      group.statements += 1
      group.running += calls.length
      void run(calls).then(() => {
        group.statements -= 1
        group.running -= calls.length
        start(name, group)
      })
    }
    if (group.statements === 0) groups.delete(name)
  }
  return async (item) => {
    // The statement must be part of the transaction around this call.
    if (isPinned()) return (await runStatement([item]))[0] as Result
    return new Promise((resolve, reject) => {
      const name = groupOf(item)
      const group = groups.get(name) ?? { waiting: [], statements: 0, running: 0 }
      groups.set(name, group)
      group.waiting.push({ item, since: Date.now(), resolve, reject })
      start(name, group)
    })
  }
}

function rejectLate<Item, Result>({ waiting }: Group<Item, Result>): void {
  while (waiting[0] && Date.now() - waiting[0].since > MAX_WAIT_MS)
    waiting
      .shift()
      ?.reject(new Unavailable('The database is too busy. Nothing was changed. Try again later.'))
}

/** Whether each item alone would fail too. After a lost connection, the items may even have been written. */
const concernsAll = (error: unknown): boolean =>
  [isDatabaseDown, isReadOnly, isOutOfResources, isTimeout, isLockTimeout].some((applies) => applies(error))
