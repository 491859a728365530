import { useQueryClient } from '@tanstack/react-query'
import { queries } from '#web/api/queries.ts'
import { type Person, type PersonPatch, service } from '#web/api/service.ts'
import { ifMatch } from '#web/editing/if-match.ts'
import { type RecordChange, useSaveRecord } from '#web/editing/use-save-record.ts'

/**
 * Saves changes of one person. See `useSaveRecord`.
 * @throws EditConflict when someone else changed the same field
 */
export function useSavePerson(id: string): (change: RecordChange<Person, PersonPatch>) => Promise<unknown> {
  const queryClient = useQueryClient()
  const { queryKey } = queries.person(id)
  const put = (changes: Partial<Person>) => {
    queryClient.setQueryData(queryKey, (person) => person && { ...person, ...changes })
  }
  return useSaveRecord<Person, PersonPatch>({
    kind: 'person',
    id,
    queryKey,
    read: () => {
      const person = queryClient.getQueryData(queryKey)
      if (!person) throw new Error(`The person ${id} is not loaded.`)
      return person
    },
    put,
    send: async (changes, updatedAt) =>
      (await service.updatePerson({ params: { id }, body: changes, ...ifMatch(updatedAt) })).data,
    reload: async () => {
      const { data } = await service.getPerson({ params: { id } })
      queryClient.setQueryData(queryKey, data)
      return data
    },
    putSaved: put,
  })
}
