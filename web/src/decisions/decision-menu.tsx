import { ActionIcon, Menu } from '@mantine/core'
import { IconDots, IconHistory, IconPencil, IconTrash } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { strings } from '#strings/decisions.ts'
import { type Decision, service } from '#web/api/service.ts'
import { useMayChangeOwn } from '#web/api/use-may-change-own.ts'
import { AnchoredMenu, type OverlayProps, overlayButton } from '#web/ui/anchored.tsx'
import { ScreenMenuItem } from '#web/ui/menu-link.tsx'
import { useRefreshDecisions } from './use-save-decision.ts'

interface DecisionMenuProps {
  decision: Decision
  edit: () => void
}

function DecisionMenuItems({ decision, edit, ...menu }: DecisionMenuProps & OverlayProps) {
  const mayChange = useMayChangeOwn(decision.author_email)
  const refresh = useRefreshDecisions()
  const remove = useMutation({
    mutationFn: () => service.deleteDecision({ params: { id: decision.id } }),
    onSuccess: refresh,
  })
  return (
    <AnchoredMenu {...menu} position="bottom-end" withinPortal>
      <Menu.Dropdown>
        {mayChange && (
          <Menu.Item leftSection={<IconPencil size={16} aria-hidden />} onClick={edit}>
            {strings.edit}
          </Menu.Item>
        )}
        <ScreenMenuItem
          to="/activity"
          search={{ entity_id: decision.id }}
          leftSection={<IconHistory size={16} aria-hidden />}
        >
          {strings.history}
        </ScreenMenuItem>
        {mayChange && (
          <Menu.Item leftSection={<IconTrash size={16} aria-hidden />} onClick={() => remove.mutate()}>
            {strings.delete}
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </AnchoredMenu>
  )
}

const DecisionMenuButton = overlayButton('menu', DecisionMenuItems)

/** What can be done with a decision. Deleting shows a notice with Undo. */
export const DecisionMenu = (props: DecisionMenuProps) => (
  <DecisionMenuButton {...props}>
    <ActionIcon
      variant="subtle"
      color="gray"
      size={28}
      className="print-hidden"
      aria-label={strings.more(strings.nameOf(props.decision.company_name))}
    >
      <IconDots size={16} aria-hidden />
    </ActionIcon>
  </DecisionMenuButton>
)
