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

/** Format: https://docs.github.com/rest/issues/issues and "Getting started with the REST API". */
export function startGithub(): Promise<TrackerServer> {
  const repository = '/repos/example/deals'
  const shown = (issue: TrackerIssue) => ({
    number: Number(issue.id),
    html_url: issue.url,
    title: issue.title,
    body: issue.body,
    created_at: issue.created_at,
  })
  return startTracker(
    (origin) => ({
      TRACKER: 'github',
      TRACKER_URL: origin,
      TRACKER_TOKEN: TOKEN,
      TRACKER_PROJECT: 'example/deals',
    }),
    ({ method, path, query, headers, body }, tracker) => {
      assert.match(headers['user-agent'] ?? '', /^deal-pipeline\//)
      assert.equal(headers.accept, 'application/vnd.github+json')
      assert.equal(headers['x-github-api-version'], '2022-11-28')
      if (headers.authorization !== `Bearer ${TOKEN}`)
        return { status: 401, body: { message: 'Bad credentials' } }
      if (method === 'GET' && path === '/user') return ok({ login: 'deals-bot' })
      if (method === 'GET' && path === repository) return ok({ has_issues: true, archived: false })
      if (path !== `${repository}/issues`) return { status: 404, body: { message: 'Not Found' } }
      if (method === 'POST') {
        hasKeys(body, ['title', 'body', 'labels'])
        isText(body.title)
        isText(body.body)
        assert.ok(body.title.length <= 256 && body.body.length <= 65_536)
        for (const label of body.labels) assert.ok(label.length <= 50, label)
        const id = String(tracker.issues.length + 1)
        const url = `https://github.com/example/deals/issues/${id}`
        return created(shown(addIssue(tracker, { id, url, ...body })))
      }
      assert.equal(method, 'GET')
      // For large repositories, GitHub rejects page numbers: 422, "please use cursor based pagination".
      for (const name of query.keys())
        assert.ok(
          ['creator', 'state', 'sort', 'direction', 'since', 'per_page', 'after'].includes(name),
          name,
        )
      assert.match(query.get('since') ?? '', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/)
      const start = Number(query.get('after') ?? 0)
      const end = start + Number(query.get('per_page'))
      const creator = query.get('creator')
      const isAskedFor = (issue: TrackerIssue) => !creator || (issue.creator ?? 'deals-bot') === creator
      const found = query.get('state') === 'all' ? known(tracker).filter(isAskedFor) : []
      query.set('after', String(end))
      const next = `<${tracker.settings.TRACKER_URL}${path}?${query}>; rel="next"`
      return {
        ...ok(found.toReversed().slice(start, end).map(shown)),
        ...(end < found.length && { headers: { link: next } }),
      }
    },
  )
}
