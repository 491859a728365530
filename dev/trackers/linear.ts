import assert from 'node:assert/strict'
import {
  type Answer,
  addIssue,
  hasKeys,
  isText,
  ok,
  startTracker,
  TOKEN,
  type TrackerIssue,
  type TrackerServer,
} from './tracker-server.ts'

/** Format: https://linear.app/developers/graphql */
export function startLinear(): Promise<TrackerServer> {
  const team = '5c9d1a4e-2e6f-4b8a-8c1d-7a6b5c4d3e2f'
  const ids = new Map<string, TrackerIssue>()
  const shown = ({ id, url }: TrackerIssue) => ({ identifier: id, url })
  const labels = [
    { id: 'group', isGroup: true, team: null },
    { id: 'elsewhere', isGroup: false, team: { id: 'another' } },
    { id: 'ours', isGroup: false, team: { id: team } },
  ]
  const error = (code: string, message: string): Answer => ({
    status: 400,
    body: { errors: [{ message, extensions: { code } }] },
  })
  return startTracker(
    (origin) => ({
      TRACKER: 'linear',
      TRACKER_URL: `${origin}/graphql`,
      TRACKER_TOKEN: TOKEN,
      TRACKER_PROJECT: 'ENG',
    }),
    ({ method, path, headers, body }, tracker) => {
      assert.deepEqual([method, path, headers['content-type']], ['POST', '/graphql', 'application/json'])
      hasKeys(body, ['query', 'variables'])
      if (headers.authorization !== TOKEN) return error('AUTHENTICATION_ERROR', 'Authentication required')
      const { query, variables } = body
      if (/\bteams\(filter: \$team, first: 1\)/.test(query)) {
        const isOurs = variables.team.key?.eqIgnoreCase === 'ENG' || variables.team.id?.eq === team
        isText(variables.label)
        const found = variables.label === 'bug' ? labels : []
        return ok({ data: { teams: { nodes: isOurs ? [{ id: team }] : [] }, issueLabels: { nodes: found } } })
      }
      if (/\bissues\(filter: \{ id: \{ eq: \$id \} \}/.test(query)) {
        const found = ids.get(variables.id)
        return ok({ data: { issues: { nodes: found ? [shown(found)] : [] } } })
      }
      assert.match(query, /^mutation \w+\(\$input: IssueCreateInput!\)/)
      const { input } = variables
      hasKeys(input, ['id', 'teamId', 'labelIds', 'title', 'description'])
      assert.match(input.id, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
      assert.equal(input.teamId, team)
      if (ids.has(input.id)) return error('INVALID_INPUT', 'This id is taken')
      const id = `ENG-${tracker.issues.length + 1}`
      const url = `https://linear.app/example/issue/${id}`
      const issue = { id, url, title: input.title, body: input.description, labels: input.labelIds }
      ids.set(input.id, addIssue(tracker, issue))
      return ok({ data: { issueCreate: { success: true, issue: { identifier: id, url } } } })
    },
  )
}
