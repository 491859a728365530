export interface PipelineSearch {
  view?: 'list'
  /** The deal whose panel is open. */
  deal?: string
  /** `all` or missing: any status. */
  status?: string
  /** Shows only this stage. */
  stage?: string
}

/** @param search the query of `/pipeline` */
export const pipelineSearch = (search: Record<string, unknown>): PipelineSearch => ({
  ...(search.view === 'list' && { view: 'list' as const }),
  ...(search.deal ? { deal: String(search.deal) } : {}),
  ...(search.status ? { status: String(search.status) } : {}),
  ...(search.stage ? { stage: String(search.stage) } : {}),
})
