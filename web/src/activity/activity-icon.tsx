import { ThemeIcon } from '@mantine/core'
import {
  IconAlertTriangle,
  IconArrowMerge,
  IconArrowRight,
  IconArrowsSplit,
  IconBan,
  IconBolt,
  IconBulb,
  IconCheck,
  IconFileImport,
  IconGauge,
  IconLink,
  IconLinkOff,
  IconNote,
  IconPencil,
  IconPlayerPlay,
  IconPlus,
  IconRestore,
  IconSparkles,
  IconTrash,
  IconTrashX,
  IconUserPlus,
} from '@tabler/icons-react'

const ICONS: Record<string, [Icon: typeof IconBolt, color: string]> = {
  company_created: [IconPlus, 'teal'],
  company_updated: [IconPencil, 'gray'],
  companies_imported: [IconFileImport, 'teal'],
  people_imported: [IconFileImport, 'teal'],
  notes_imported: [IconFileImport, 'teal'],
  deals_imported: [IconFileImport, 'teal'],
  company_scored: [IconGauge, 'ink'],
  company_enriched: [IconSparkles, 'ink'],
  thesis_created: [IconBulb, 'teal'],
  thesis_updated: [IconBulb, 'gray'],
  dealflow_created: [IconPlus, 'teal'],
  dealflow_updated: [IconPencil, 'gray'],
  dealflow_stage_changed: [IconArrowRight, 'ink'],
  dealflow_moved_and_updated: [IconArrowRight, 'ink'],
  company_merged: [IconArrowMerge, 'ink'],
  company_unmerged: [IconArrowsSplit, 'gray'],
  company_deleted: [IconTrash, 'gray'],
  company_restored: [IconRestore, 'teal'],
  company_purged: [IconTrashX, 'red'],
  dealflow_deleted: [IconTrash, 'gray'],
  dealflow_restored: [IconRestore, 'teal'],
  dealflow_purged: [IconTrashX, 'red'],
  thesis_deleted: [IconTrash, 'gray'],
  thesis_restored: [IconRestore, 'teal'],
  thesis_purged: [IconTrashX, 'red'],
  person_created: [IconUserPlus, 'teal'],
  person_updated: [IconPencil, 'gray'],
  person_linked: [IconLink, 'teal'],
  person_link_updated: [IconPencil, 'gray'],
  person_unlinked: [IconLinkOff, 'gray'],
  person_merged: [IconArrowMerge, 'ink'],
  person_unmerged: [IconArrowsSplit, 'gray'],
  person_deleted: [IconTrash, 'gray'],
  person_restored: [IconRestore, 'teal'],
  person_purged: [IconTrashX, 'red'],
  note_created: [IconNote, 'teal'],
  note_updated: [IconPencil, 'gray'],
  note_deleted: [IconTrash, 'gray'],
  note_restored: [IconRestore, 'teal'],
  note_purged: [IconTrashX, 'red'],
  bulk_action_created: [IconPlayerPlay, 'ink'],
  bulk_action_completed: [IconCheck, 'teal'],
  bulk_action_failed: [IconAlertTriangle, 'red'],
  bulk_action_cancelled: [IconBan, 'gray'],
}

/** The icon of an activity type. Decorative: the sentence beside it says the same. */
export function ActivityIcon({ type, size = 26 }: { type: string; size?: number }) {
  const [Icon, color] = ICONS[type] ?? [IconBolt, 'gray']
  return (
    <ThemeIcon variant="light" color={color} size={size} radius="xl" aria-hidden>
      <Icon size={size * 0.58} stroke={1.8} />
    </ThemeIcon>
  )
}
