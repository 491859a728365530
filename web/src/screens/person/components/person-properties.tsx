import { ActionIcon, Group, Stack, Text } from '@mantine/core'
import { IconExternalLink, IconMail, IconPhone } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { MAX_TAGS } from '#src/client/limits.ts'
import { strings as words } from '#strings/fields.ts'
import { strings } from '#strings/people.ts'
import { queries } from '#web/api/queries.ts'
import type { Person } from '#web/api/service.ts'
import { useCustomFields } from '#web/fields/custom-fields.tsx'
import { personName } from '#web/fields/people.ts'
import { Properties } from '#web/fields/properties.tsx'
import { TagChips } from '#web/fields/tag-chips.tsx'
import { ownerField, tagsField } from '#web/fields/tags-and-owner.tsx'
import { mailAddress, withoutProtocol } from '#web/format/web-address.ts'
import { Section } from '#web/ui/section.tsx'
import { FIELDS } from '../person-fields.ts'
import classes from './person.module.css'
import { PersonField, personDraftKey, type ShownPersonField } from './person-field.tsx'

/** The fields of the person, edited in place. */
export function PersonProperties({ person }: { person: Person }) {
  const { emails, phones, links, tags, owner_email } = person
  const users = useQuery({ ...queries.allUsers(), enabled: owner_email !== null }).data
  const custom = useCustomFields('person', person)
  const shown: ShownPersonField[] = [
    {
      field: FIELDS.emails,
      ...listProps(emails, { Icon: IconMail, label: strings.writeTo, href: mailAddress }),
    },
    {
      field: FIELDS.phones,
      ...listProps(phones, { Icon: IconPhone, label: strings.call, href: (phone) => `tel:${phone}` }),
    },
    {
      field: FIELDS.links,
      ...listProps(links, {
        ...{ Icon: IconExternalLink, isNewTab: true, toText: withoutProtocol },
        ...{ label: (link) => strings.openLink(withoutProtocol(link)), href: (link) => link },
      }),
    },
    { field: FIELDS.location },
    {
      field: ownerField,
      display: owner_email && <bdi>{personName(owner_email, users)}</bdi>,
      format: (email) => (email ? personName(email, users) : ''),
    },
    {
      field: tagsField,
      display: tags.length > 0 && (
        <Group gap={4} component="span">
          <TagChips tags={tags} max={MAX_TAGS} />
        </Group>
      ),
      format: (text) => text.split(';').join(', '),
    },
    ...custom,
  ]
  const properties = shown.map((props) => ({
    key: props.field.label,
    label: props.field.label,
    isEmpty: props.field.read(person) === '',
    draftKey: personDraftKey(person, props.field),
    render: (opensAtOnce: boolean) => <PersonField person={person} {...props} opensAtOnce={opensAtOnce} />,
  }))
  return (
    <Section title={words.properties}>
      <Properties properties={properties} />
    </Section>
  )
}

interface ValueLink {
  Icon: typeof IconMail
  label: (value: string) => string
  href: (value: string) => string
  isNewTab?: boolean
  toText?: (value: string) => string
}

/** Several values, each in a line with a link beside it. */
function listProps(values: readonly string[], { Icon, label, href, isNewTab, toText = String }: ValueLink) {
  return {
    display: values.length > 0 && (
      <span className={classes.lines}>
        {values.map((value) => (
          <Text key={value} span inherit truncate title={value} className={classes.line}>
            {toText(value)}
          </Text>
        ))}
      </span>
    ),
    aside: values.length > 0 && (
      <Stack gap={0} mt={4}>
        {values.map((value) => (
          <ActionIcon
            key={value}
            component="a"
            href={href(value)}
            {...(isNewTab && { target: '_blank', rel: 'noopener noreferrer' })}
            variant="subtle"
            size={24}
            aria-label={label(value)}
          >
            <Icon size={16} aria-hidden />
          </ActionIcon>
        ))}
      </Stack>
    ),
    format: (text: string) => text.split('\n').join(', '),
  }
}
