import { scanDuplicates } from '#src/features/duplicates/index.ts'
import { withDatabase } from './open-database.ts'

/** `duplicates scan`: compares all companies with each other. Returns the exit status. */
export async function scanDuplicatesCommand(): Promise<number> {
  const start = performance.now()
  const { companies, duplicates } = await withDatabase(scanDuplicates)
  const seconds = ((performance.now() - start) / 1000).toFixed(1)
  console.log(`Compared ${companies} companies in ${seconds} s: ${duplicates} pairs may be duplicates.`)
  return 0
}
