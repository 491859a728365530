import { startGithub } from './github.ts'
import { startGitlab } from './gitlab.ts'
import { startJira } from './jira.ts'
import { startLinear } from './linear.ts'

/** All mock trackers by name. */
export const TRACKER_SERVERS = {
  github: startGithub,
  gitlab: startGitlab,
  linear: startLinear,
  jira: startJira,
}
