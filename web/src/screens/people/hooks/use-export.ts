import { notifications } from '@mantine/notifications'
import { useMutation } from '@tanstack/react-query'
import { strings } from '#strings/people.ts'
import { service } from '#web/api/service.ts'
import { saveFile } from '#web/browser/save-file.ts'
import type { ListSearch } from '#web/lists/list-search.ts'
import { peopleFiltersOf } from '../people-query.ts'

/** Saves the people that match as a CSV file. */
export const useExport = () =>
  useMutation({
    mutationFn: async (search: ListSearch) => {
      const file = await service.exportPeople({ querystring: { ...peopleFiltersOf(search), bom: true } })
      saveFile(await new Response(file).blob(), strings.fileName(new Date().toISOString().slice(0, 10)))
    },
    onSuccess: () => notifications.show({ message: strings.exported, color: 'teal' }),
  })
