import { isProtectedAddress } from '#src/platform/network/addresses.ts'
import { isPlainAddress } from './model-endpoint.ts'
import type { Settings } from './settings.ts'

export const TRACKERS = ['local', 'github', 'gitlab', 'linear', 'jira'] as const
export type TrackerKind = (typeof TRACKERS)[number]

/** Where feedback becomes issues. */
export interface TrackerConfig {
  readonly kind: TrackerKind
  /** Of its API, without a slash at the end; of Jira the site. */
  readonly url: string
  /** A secret. Of Jira `email:token`. */
  readonly token: string
  /** As the tracker names it. */
  readonly project: string
}

interface Demands {
  url: string | undefined
  token: { pattern: RegExp; form: string }
  project: { pattern: RegExp; form: string }
}

/** What goes into a header as it is. */
const TOKEN = { pattern: /^[\x21-\x7e]+$/, form: 'the token as the tracker shows it, without spaces' }
const UUID = '[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}'

const DEMANDS: Record<Exclude<TrackerKind, 'local'>, Demands> = {
  github: {
    url: 'https://api.github.com',
    token: TOKEN,
    project: { pattern: /^(?!\.)[\w.-]+\/(?!\.{1,2}$)[\w.-]+$/, form: 'owner/repository' },
  },
  gitlab: {
    url: 'https://gitlab.com/api/v4',
    token: TOKEN,
    project: { pattern: /^(?:\d+|[\w.-]+(?:\/[\w.-]+)+)$/, form: 'group/project, or its number' },
  },
  linear: {
    url: 'https://api.linear.app/graphql',
    token: TOKEN,
    project: {
      pattern: new RegExp(`^(?:[A-Za-z][A-Za-z0-9]*|${UUID})$`),
      form: "a team's key such as ENG, or its id",
    },
  },
  jira: {
    url: undefined,
    token: {
      pattern: /^[\x21-\x39\x3b-\x7e]+@[\x21-\x39\x3b-\x7e]+:[\x21-\x7e]+$/,
      form: 'an e-mail address, a colon, and the API token of this account',
    },
    project: { pattern: /^[A-Za-z][A-Za-z0-9_]+$/, form: "a project's key such as PIPE" },
  },
}

export function readTracker(settings: Settings): TrackerConfig {
  const kind = settings.oneOf('TRACKER', 'local', TRACKERS)
  const url = settings.text('TRACKER_URL')
  const token = settings.text('TRACKER_TOKEN')
  const project = settings.text('TRACKER_PROJECT')
  if (url && !(isPlainAddress(url) && isProtectedAddress(url)))
    settings.demand(
      'TRACKER_URL',
      'must be an https:// address (http:// on this machine only) without a user or a query',
    )
  if (!(kind in DEMANDS)) {
    const idle = { TRACKER_URL: '', TRACKER_TOKEN: '', TRACKER_PROJECT: '' }
    settings.warnOfIdle(idle, 'TRACKER is github, gitlab, linear or jira')
    return Object.freeze({ kind, url: '', token: '', project: '' })
  }
  const demands = DEMANDS[kind as Exclude<TrackerKind, 'local'>]
  if (!url && !demands.url)
    settings.demand('TRACKER_URL', `TRACKER=${kind} needs it, such as https://example.atlassian.net`)
  if (!token) settings.demand('TRACKER_TOKEN', `TRACKER=${kind} needs it: ${demands.token.form}`)
  else if (!demands.token.pattern.test(token))
    settings.demand('TRACKER_TOKEN', `must be ${demands.token.form}`)
  if (!project) settings.demand('TRACKER_PROJECT', `TRACKER=${kind} needs it: ${demands.project.form}`)
  else if (!demands.project.pattern.test(project)) settings.refuse('TRACKER_PROJECT', demands.project.form)
  return Object.freeze({
    kind,
    url: (url ?? demands.url ?? '').replace(/\/+$/, ''),
    token: token ?? '',
    project: project ?? '',
  })
}
