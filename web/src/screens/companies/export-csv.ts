import { service } from '#web/service/service.ts'
import { type CompaniesSearch, isByMeaning, listFiltersOf } from './companies-search.ts'

/** The service takes 1,000; the address of a request with this many also passes gateways that allow 8 KB. */
const IDS_PER_REQUEST = 200

/** All companies that pass the filters, as a file. */
export async function exportMatching(search: CompaniesSearch): Promise<Blob> {
  return new Response(await service.exportCompanies({ querystring: listFiltersOf(search) })).blob()
}

/** Whether the filters alone say which companies are meant. */
export const canExportMatching = (search: CompaniesSearch): boolean => !isByMeaning(search)

/** Some companies as one file, read in several parts of which only the first keeps its header. */
export async function exportByIds(ids: readonly string[]): Promise<Blob> {
  const parts: BlobPart[] = []
  for (let from = 0; from < ids.length; from += IDS_PER_REQUEST) {
    const querystring = { ids: ids.slice(from, from + IDS_PER_REQUEST).join(',') }
    const part = await new Response(await service.exportCompanies({ querystring })).blob()
    parts.push(from === 0 ? part : await withoutHeader(part))
  }
  return new Blob(parts, { type: 'text/csv' })
}

/** The names of the columns hold no line break, so that the header is the first line. */
async function withoutHeader(part: Blob): Promise<Blob> {
  const bytes = new Uint8Array(await part.arrayBuffer())
  return part.slice(bytes.indexOf(0x0a) + 1 || part.size)
}
