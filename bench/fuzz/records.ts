import type { KnownIds } from '#src/testing/fuzz-values.ts'

const COMPANY = { name: 'Known', country_code: 'DE', activity_description: 'Robots for warehouses' }

/** Creates a record of each kind, and returns their ids. */
export async function createRecords(url: string): Promise<KnownIds> {
  const create = async (path: string, body: object): Promise<string> => {
    const response = await fetch(`${url}/api/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-user-email': 'ada@example.com' },
      body: JSON.stringify(body),
    })
    const answer = await response.json()
    if (!response.ok) throw new Error(`POST /api/${path}: ${response.status} ${JSON.stringify(answer)}`)
    return answer.data?.id ?? answer.issue_id
  }
  const company = await create('companies', COMPANY)
  const thesis = await create('theses', { code: `KNOWN-${Date.now()}`, title: 'Known' })
  return {
    company,
    thesis,
    deal: await create('dealflow', { company_id: company }),
    person: await create('people', { name: 'Known', companies: [{ company_id: company }] }),
    bulkAction: await create('bulk-actions', { action_type: 'enrich_profile', company_ids: [company] }),
    feedback: await create('feedback', { type: 'bug', title: 'Known', description: 'Known' }),
    user: 'ada@example.com',
  }
}
