import { Badge, Tooltip } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { strings } from '#strings/general.ts'
import { queries } from '#web/api/queries.ts'
import { workspaceName } from '#web/format/workspace-name.ts'
import classes from './sidebar.module.css'

/** The mark and the name of the workspace, and whether the service runs in development. */
export function Mark() {
  return (
    <span className={classes.mark}>
      <img src={`${import.meta.env.BASE_URL}favicon.svg`} alt="" width={22} height={22} />
      <span className={classes.workspace} title={workspaceName} dir="auto">
        {workspaceName}
      </span>
      <Mode />
    </span>
  )
}

/** Says that the service runs in development. */
function Mode() {
  const status = useQuery(queries.authenticationStatus())
  if (status.data?.mode !== 'development') return null
  return (
    <Tooltip label={`${strings.development}. ${strings.developmentHelp}`} multiline w={260}>
      <Badge
        className={classes.development}
        color="orange"
        tabIndex={0}
        aria-label={strings.development}
        role="note"
      >
        {strings.developmentShort}
      </Badge>
    </Tooltip>
  )
}
