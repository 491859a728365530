import { ActionIcon, Badge, Text } from '@mantine/core'
import { IconPencil, IconX } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { strings } from '#strings/people.ts'
import type { CompanyLink } from '#web/api/service.ts'
import { useCan } from '#web/api/use-can.ts'
import { isPast } from '#web/fields/past-link.ts'
import classes from './link-rows.module.css'

interface LinkRowProps {
  /** Before the name. */
  mark: ReactNode
  /** The name of the other end, as a link. */
  name: ReactNode
  link: Pick<CompanyLink, 'role' | 'from' | 'until' | 'is_primary'>
  /** Whether it marks the primary company of a person. */
  showsPrimary?: boolean
  /** More links, such as to write a message. */
  links?: ReactNode
  editLabel: string
  removeLabel: string
  edit: () => void
  remove: () => void
}

/** A person of a company, or a company of a person, with the role and the time. */
export function LinkRow(props: LinkRowProps) {
  const { mark, name, link, links, editLabel, removeLabel, edit, remove, showsPrimary = false } = props
  const mayWrite = useCan('write')
  const time = strings.period(link.from, link.until)
  return (
    <li className={classes.row}>
      {mark}
      <div className={classes.text}>
        <span className={classes.name}>
          {name}
          {showsPrimary && link.is_primary && !isPast(link) && (
            <Badge variant="light" size="sm" radius="sm" tt="none" style={{ flexShrink: 0 }}>
              {strings.primary}
            </Badge>
          )}
        </span>
        {link.role && (
          <Text size="sm" dir="auto">
            {link.role}
          </Text>
        )}
        {time && (
          <Text size="xs" c="dimmed">
            {time}
          </Text>
        )}
      </div>
      <div className={classes.actions}>
        {links}
        {mayWrite && (
          <>
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={editLabel}
              title={strings.edit}
              onClick={edit}
            >
              <IconPencil size={16} aria-hidden />
            </ActionIcon>
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={removeLabel}
              title={strings.remove}
              onClick={remove}
            >
              <IconX size={16} aria-hidden />
            </ActionIcon>
          </>
        )}
      </div>
    </li>
  )
}
