import { Menu } from '@mantine/core'
import { AnchoredMenu, type OverlayProps } from '#web/ui/anchored.tsx'

interface RunAiMenuProps {
  choices: { label: string; run: () => void }[]
}

/** The bulk actions that can be run for the company. */
export default function RunAiMenu({ choices, ...menu }: RunAiMenuProps & OverlayProps) {
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
