export interface PipelineSearch {
  view?: 'list'
  /** The deal whose panel is open. */
  deal?: string
  status?: string
}

/** @param search what follows the ? of `/pipeline` */
export const pipelineSearch = (search: Record<string, unknown>): PipelineSearch => ({
  ...(search.view === 'list' && { view: 'list' as const }),
  ...(search.deal ? { deal: String(search.deal) } : {}),
  ...(search.status ? { status: String(search.status) } : {}),
})
