import { Menu } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { NotFound } from '#src/client/errors.ts'
import { strings } from '#strings/company.ts'
import { queries } from '#web/api/queries.ts'
import { AnchoredMenu, type OverlayProps } from '#web/ui/anchored.tsx'
import type { CompanyRecord } from '../../company-fields.ts'
import { sourceAddress } from '../../source-address.ts'

interface ExportMenuProps {
  company: CompanyRecord
}

/** What the company was imported from, and its profile. Asks for the imported row only once the menu is open. */
export function ExportMenu({ company, ...menu }: ExportMenuProps & OverlayProps) {
  const source = useQuery({ ...queries.importedRow(company.id), enabled: menu.opened })
  const profile = `/assets/companies/${encodeURIComponent(company.id)}/profile.json`
  return (
    <AnchoredMenu {...menu} position="bottom-end">
      <Menu.Dropdown>
        {source.error instanceof NotFound ? (
          <Menu.Item disabled>{strings.notImported}</Menu.Item>
        ) : (
          <Menu.Item component="a" href={sourceAddress(company.id)} download>
            {strings.importedRowCsv}
          </Menu.Item>
        )}
        {company.enriched_data || company.enriched_data_error ? (
          <Menu.Item component="a" href={profile} download={`${company.id}.json`}>
            {strings.profileJson}
          </Menu.Item>
        ) : (
          <Menu.Item disabled>{strings.noProfileYet}</Menu.Item>
        )}
      </Menu.Dropdown>
    </AnchoredMenu>
  )
}

interface RunAiMenuProps {
  choices: { label: string; run: () => void }[]
}

/** The bulk actions that can be run for the company. */
export function RunAiMenu({ choices, ...menu }: RunAiMenuProps & OverlayProps) {
  return (
    <AnchoredMenu {...menu} position="bottom-end">
      <Menu.Dropdown>
        {choices.map(({ label, run }) => (
          <Menu.Item key={label} onClick={run}>
            {label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </AnchoredMenu>
  )
}
