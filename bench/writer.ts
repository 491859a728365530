import { type Figures, type Load, measure, type Request } from './measure.ts'
import type { Running } from './processes.ts'

const WRITES_PER_SECOND = 50

const WRITER: Load = { connections: 4, maxRate: WRITES_PER_SECOND }

export interface WriterFigures {
  reads: Figures
  /** Companies created per second during the reads. */
  created: number
}

/** Measures reads while companies are created at a steady rate. */
export async function measureWithWriter(
  { url }: Running,
  { request, load }: { request: () => Request; load: Load },
  creation: () => Request,
): Promise<WriterFigures> {
  const reading = measure(url, request, load)
  const [reads, writes] = await Promise.all([reading, measure(url, creation, { ...WRITER, until: reading })])
  return { reads, created: writes.rate }
}
