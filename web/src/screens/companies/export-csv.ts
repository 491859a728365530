import { service } from '#web/api/service.ts'
import { type CompaniesSearch, isSemanticSearch, listFiltersOf } from './companies-search.ts'
import { isLong } from './list-query.ts'

/** The service accepts 1,000, but a URL with 200 ids also passes proxies that allow 8 KB. */
const IDS_PER_REQUEST = 200

/** Exports all companies that match the filters, as a file that Excel reads as UTF-8. */
export async function exportMatching(search: CompaniesSearch): Promise<Blob> {
  return new Response(
    await service.exportCompanies({ querystring: { ...listFiltersOf(search), bom: true } }),
  ).blob()
}

/** Whether the filters alone determine the companies, and fit into an address. */
export const canExportMatching = (search: CompaniesSearch): boolean =>
  !isSemanticSearch(search) && !isLong(search.filter)

/** Exports companies in several requests, joined into one file with a single byte order mark and header. */
export async function exportByIds(ids: readonly string[]): Promise<Blob> {
  const parts: BlobPart[] = []
  for (let from = 0; from < ids.length; from += IDS_PER_REQUEST) {
    const querystring = { ids: ids.slice(from, from + IDS_PER_REQUEST).join(','), bom: from === 0 }
    const part = await new Response(await service.exportCompanies({ querystring })).blob()
    parts.push(from === 0 ? part : await withoutHeader(part))
  }
  return new Blob(parts, { type: 'text/csv' })
}

/** Column names contain no line breaks, so the header is the first line. */
async function withoutHeader(part: Blob): Promise<Blob> {
  const bytes = new Uint8Array(await part.arrayBuffer())
  return part.slice(bytes.indexOf(0x0a) + 1 || part.size)
}
