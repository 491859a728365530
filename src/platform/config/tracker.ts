import { isSecureUrl } from '#src/platform/network/addresses.ts'
import { isPlainUrl } from './model-endpoint.ts'
import type { Settings } from './settings.ts'

export const TRACKERS = ['local', 'github', 'gitlab', 'linear', 'jira'] as const
export type TrackerKind = (typeof TRACKERS)[number]

/** The issue tracker that receives feedback. */
export interface TrackerConfig {
  readonly kind: TrackerKind
  /** The API's URL without a trailing slash; for Jira, the site's. */
  readonly url: string
  /** The API token, a secret. For Jira, `email:token`. */
  readonly token: string
  /** The project's name or key in the tracker. */
  readonly project: string
}

interface Requirements {
  url: string | undefined
  token: { pattern: RegExp; form: string }
  project: { pattern: RegExp; form: string }
}

/** Characters that are valid in a header. */
const TOKEN = { pattern: /^[\x21-\x7e]+$/, form: 'the token exactly as the tracker shows it, without spaces' }
const UUID = '[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}'

const REQUIREMENTS: Record<Exclude<TrackerKind, 'local'>, Requirements> = {
  github: {
    url: 'https://api.github.com',
    token: TOKEN,
    project: { pattern: /^(?!\.)[\w.-]+\/(?!\.{1,2}$)[\w.-]+$/, form: 'owner/repository' },
  },
  gitlab: {
    url: 'https://gitlab.com/api/v4',
    token: TOKEN,
    project: { pattern: /^(?:\d+|[\w.-]+(?:\/[\w.-]+)+)$/, form: 'group/project or the project ID' },
  },
  linear: {
    url: 'https://api.linear.app/graphql',
    token: TOKEN,
    project: {
      pattern: new RegExp(`^(?:[A-Za-z][A-Za-z0-9]*|${UUID})$`),
      form: 'a team key such as ENG, or a team ID',
    },
  },
  jira: {
    url: undefined,
    token: {
      pattern: /^[\x21-\x39\x3b-\x7e]+@[\x21-\x39\x3b-\x7e]+:[\x21-\x7e]+$/,
      form: 'an email address, a colon, and the API token of that account',
    },
    project: { pattern: /^[A-Za-z][A-Za-z0-9_]+$/, form: 'a project key such as PIPE' },
  },
}

export function readTracker(settings: Settings): TrackerConfig {
  const kind = settings.oneOf('TRACKER', 'local', TRACKERS)
  const url = settings.text('TRACKER_URL')
  const token = settings.text('TRACKER_TOKEN')
  const project = settings.text('TRACKER_PROJECT')
  if (url && !(isPlainUrl(url) && isSecureUrl(url)))
    settings.addError(
      'TRACKER_URL',
      'must be an https:// URL (http:// only on localhost) without credentials or a query',
    )
  if (!(kind in REQUIREMENTS)) {
    const unused = { TRACKER_URL: '', TRACKER_TOKEN: '', TRACKER_PROJECT: '' }
    settings.warnIfUnused(unused, 'TRACKER is github, gitlab, linear or jira')
    return Object.freeze({ kind, url: '', token: '', project: '' })
  }
  const requirements = REQUIREMENTS[kind as Exclude<TrackerKind, 'local'>]
  if (!url && !requirements.url)
    settings.addError(
      'TRACKER_URL',
      `is required with TRACKER=${kind}, such as https://example.atlassian.net`,
    )
  if (!token)
    settings.addError('TRACKER_TOKEN', `is required with TRACKER=${kind}: ${requirements.token.form}`)
  else if (!requirements.token.pattern.test(token))
    settings.addError('TRACKER_TOKEN', `must be ${requirements.token.form}`)
  if (!project)
    settings.addError('TRACKER_PROJECT', `is required with TRACKER=${kind}: ${requirements.project.form}`)
  else if (!requirements.project.pattern.test(project))
    settings.reject('TRACKER_PROJECT', requirements.project.form)
  return Object.freeze({
    kind,
    url: (url ?? requirements.url ?? '').replace(/\/+$/, ''),
    token: token ?? '',
    project: project ?? '',
  })
}
