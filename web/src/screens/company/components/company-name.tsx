import { Box, Group, Text } from '@mantine/core'
import { CompanyLogo } from '#web/ui/company-logo.tsx'
import type { CompanyRecord } from '../company-changes.ts'
import { FIELDS } from '../company-fields.ts'
import { EditableCompanyField } from './editable-company-field.tsx'

/** The name as the heading, with the logo if there is one. */
export function CompanyName({ company }: { company: CompanyRecord }) {
  const { name, logo_url } = company
  // The same elements with and without a logo: it may come or go while the name is edited.
  return (
    <Group gap="xs" wrap="nowrap">
      {logo_url && <CompanyLogo name={name} url={logo_url} size={28} />}
      <Box flex={1} miw={0}>
        <EditableCompanyField
          company={company}
          field={FIELDS.name}
          hideLabel
          display={
            <Text span inherit lineClamp={3} title={name}>
              {name}
            </Text>
          }
        />
      </Box>
    </Group>
  )
}
