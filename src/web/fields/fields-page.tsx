import { Button, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import type { Field, FieldValues, Resource } from '../api-types.ts'
import { AllowedButton, RoleNotice } from '../parts/allowed-button.tsx'
import { Icon } from '../parts/icons.tsx'
import { Loaded } from '../parts/loaded.tsx'
import { Page } from '../parts/page.tsx'
import { Panel } from '../parts/panel.tsx'
import { useResources } from '../rows/resources.ts'
import { capitalized } from '../rows/words.ts'
import { useAnswer, useRefusal } from '../session.tsx'
import { ArchiveDialog } from './archive-dialog.tsx'
import { ArchivedFields } from './archived-fields.tsx'
import { FieldCalls } from './field-calls.tsx'
import { FieldDialog } from './field-dialog.tsx'
import type { FieldStart } from './field-form.ts'
import { FieldList, liveFields } from './field-list.tsx'
import { suggestions } from './suggestions.ts'

type Open =
  | { readonly dialog: 'create'; readonly start: FieldStart }
  | { readonly dialog: 'edit' | 'archive' | 'calls'; readonly field: Field }
  | null

/** The columns that the company has added to its resources. */
export function FieldsPage() {
  const fields = useAnswer<readonly Field[]>('/fields')
  const { data: values } = useAnswer<FieldValues>('/fields/values')
  const resources = useResources().filter(({ takes_fields }) => takes_fields)
  const [open, setOpen] = useState<Open>(null)
  const close = () => setOpen(null)
  const create = (start: FieldStart) => setOpen({ dialog: 'create', start })
  // Those that people add fields to most come last, after what they refer to.
  const [usual] = resources.slice(-1)
  return (
    <Page
      title="Fields"
      lead="What your company keeps about its rows, besides what is built in. Each field is a column of the API, for your company only."
      actions={
        usual && (
          <AllowedButton
            needs="owner"
            leftSection={<Icon name="plus" />}
            onClick={() => create({ resource: usual.name })}
          >
            New field
          </AllowedButton>
        )
      }
    >
      <Stack>
        <RoleNotice needs="owner" what="the fields" />
        <Loaded query={fields} what="the fields">
          {(all) => (
            <>
              {resources.toReversed().map((resource) => {
                const live = liveFields(all, resource)
                return (
                  <Panel key={resource.name} title={capitalized(resource.many)}>
                    {live.length === 0 ? (
                      <NoFields resource={resource} create={create} />
                    ) : (
                      <FieldList
                        resource={resource}
                        fields={live}
                        values={values}
                        edit={(field) => setOpen({ dialog: 'edit', field })}
                        archive={(field) => setOpen({ dialog: 'archive', field })}
                        showCalls={(field) => setOpen({ dialog: 'calls', field })}
                      />
                    )}
                  </Panel>
                )
              })}
              <ArchivedFields fields={all} values={values} />
            </>
          )}
        </Loaded>
      </Stack>
      {open?.dialog === 'create' && <FieldDialog field={null} start={open.start} close={close} />}
      {open?.dialog === 'edit' && <FieldDialog field={open.field} start={open.field} close={close} />}
      {open?.dialog === 'calls' && <FieldCalls field={open.field} close={close} />}
      {open?.dialog === 'archive' && <ArchiveDialog field={open.field} values={values} close={close} />}
    </Page>
  )
}

interface NoFieldsProps {
  readonly resource: Resource
  readonly create: (start: FieldStart) => void
}

/** Where there are none, what others begin with. */
function NoFields({ resource: { name, one, many }, create }: NoFieldsProps) {
  const mayCreate = useRefusal('owner') === null
  return (
    <Stack gap="sm" align="flex-start">
      <Text size="sm">
        {capitalized(many)} have no fields of your own yet. Add what your company tracks of each {one}: a second later,
        applications can read, write and filter it.
      </Text>
      {mayCreate && (
        <Group gap="xs">
          {suggestions.map((suggestion) => (
            <Button
              key={suggestion.label}
              size="xs"
              variant="default"
              leftSection={<Icon name="plus" size={14} />}
              onClick={() => create({ ...suggestion, resource: name })}
              aria-label={`${suggestion.label} of ${many}`}
            >
              {suggestion.label}
            </Button>
          ))}
          <Button
            size="xs"
            variant="subtle"
            onClick={() => create({ resource: name })}
            aria-label={`Another field of ${many}`}
          >
            Another field
          </Button>
        </Group>
      )}
    </Stack>
  )
}
