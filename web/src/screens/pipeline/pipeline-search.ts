export interface PipelineSearch {
  view?: 'list'
  /** The deal whose panel is open. */
  deal?: string
  /** `all`: of any; without it the active ones. */
  status?: string
  /** Only the deals in this stage. */
  stage?: string
}

/** @param search what follows the ? of `/pipeline` */
export const pipelineSearch = (search: Record<string, unknown>): PipelineSearch => ({
  ...(search.view === 'list' && { view: 'list' as const }),
  ...(search.deal ? { deal: String(search.deal) } : {}),
  ...(search.status ? { status: String(search.status) } : {}),
  ...(search.stage ? { stage: String(search.stage) } : {}),
})
