import { Badge, Tooltip } from '@mantine/core'
import { strings } from '#strings/general.ts'
import classes from './sidebar.module.css'

/** Says that the service runs in development. */
export default function DevelopmentBadge() {
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
