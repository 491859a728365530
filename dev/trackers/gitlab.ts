import assert from 'node:assert/strict'
import {
  addIssue,
  created,
  hasKeys,
  isText,
  known,
  ok,
  startTracker,
  TOKEN,
  type TrackerIssue,
  type TrackerServer,
} from './tracker-server.ts'

/** Format: https://docs.gitlab.com/api/issues/ and https://docs.gitlab.com/api/rest/authentication/ */
export function startGitlab(): Promise<TrackerServer> {
  const project = '/api/v4/projects/example%2Fdeals'
  const shown = (issue: TrackerIssue) => ({
    id: 1000 + Number(issue.id),
    iid: Number(issue.id),
    web_url: issue.url,
    description: issue.body,
  })
  return startTracker(
    (origin) => ({
      TRACKER: 'gitlab',
      TRACKER_URL: `${origin}/api/v4`,
      TRACKER_TOKEN: TOKEN,
      TRACKER_PROJECT: 'example/deals',
    }),
    ({ method, path, query, headers, body }, tracker) => {
      if (headers['private-token'] !== TOKEN) return { status: 401, body: { message: '401 Unauthorized' } }
      if (method === 'GET' && path === project) return ok({ issues_access_level: 'enabled', archived: false })
      if (path !== `${project}/issues`) return { status: 404, body: { message: '404 Project Not Found' } }
      if (method === 'POST') {
        hasKeys(body, ['title', 'description', 'labels'])
        for (const field of Object.values(body)) isText(field)
        assert.ok(body.title.length <= 255)
        const id = String(tracker.issues.length + 1)
        const url = `https://gitlab.com/example/deals/-/issues/${id}`
        const labels = body.labels.split(',')
        return created(
          shown(addIssue(tracker, { id, url, title: body.title, body: body.description, labels })),
        )
      }
      assert.equal(method, 'GET')
      assert.deepEqual([query.get('scope'), query.get('in')], ['all', 'description'])
      const search = query.get('search') ?? ''
      return ok(
        known(tracker)
          .filter((issue) => issue.body.includes(search))
          .map(shown),
      )
    },
  )
}
