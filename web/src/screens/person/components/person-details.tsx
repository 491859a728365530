import { ActionIcon, Group, SimpleGrid, Stack, Text } from '@mantine/core'
import { IconExternalLink, IconMail, IconPhone } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { MAX_TAGS } from '#src/client/limits.ts'
import { strings } from '#strings/people.ts'
import { queries } from '#web/api/queries.ts'
import type { Person } from '#web/api/service.ts'
import { CustomFields } from '#web/fields/custom-fields.tsx'
import { personName } from '#web/fields/people.ts'
import { TagChips } from '#web/fields/tag-chips.tsx'
import { ownerField, tagsField } from '#web/fields/tags-and-owner.tsx'
import { mailAddress, withoutProtocol } from '#web/format/web-address.ts'
import { Section } from '#web/ui/section.tsx'
import { useIsCompact } from '#web/ui/use-preferences.ts'
import { FIELDS } from '../person-fields.ts'
import classes from './person.module.css'
import { PersonField } from './person-field.tsx'

/** The fields of the person, edited in place. */
export function PersonDetails({ person }: { person: Person }) {
  const { emails, phones, links, tags, owner_email } = person
  const users = useQuery({ ...queries.allUsers(), enabled: owner_email !== null }).data
  const isCompact = useIsCompact()
  return (
    <Section title={strings.details}>
      <SimpleGrid
        type="container"
        cols={{ base: 1, '30rem': 2, '52rem': 3 }}
        spacing="md"
        verticalSpacing={isCompact ? 4 : 'xs'}
      >
        <PersonField
          person={person}
          field={FIELDS.emails}
          {...listProps(emails, { Icon: IconMail, label: strings.writeTo, href: mailAddress })}
        />
        <PersonField
          person={person}
          field={FIELDS.phones}
          {...listProps(phones, { Icon: IconPhone, label: strings.call, href: (phone) => `tel:${phone}` })}
        />
        <PersonField
          person={person}
          field={FIELDS.links}
          {...listProps(links, {
            ...{ Icon: IconExternalLink, isNewTab: true, toText: withoutProtocol },
            ...{ label: (link) => strings.openLink(withoutProtocol(link)), href: (link) => link },
          })}
        />
        <PersonField person={person} field={FIELDS.location} />
        <PersonField
          person={person}
          field={ownerField}
          display={owner_email && <bdi>{personName(owner_email, users)}</bdi>}
          format={(email) => (email ? personName(email, users) : '')}
        />
        <PersonField
          person={person}
          field={tagsField}
          display={
            tags.length > 0 && (
              <Group gap={4} component="span">
                <TagChips tags={tags} max={MAX_TAGS} />
              </Group>
            )
          }
          format={(text) => text.split(';').join(', ')}
        />
        <CustomFields
          entity="person"
          record={person}
          render={(id, field) => <PersonField key={id} person={person} {...field} />}
        />
      </SimpleGrid>
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
