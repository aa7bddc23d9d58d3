import { Radio, Stack } from '@mantine/core'
import type { Role } from '../api-types.ts'
import { isRole, roles } from './roles.ts'

interface RoleChoiceProps {
  readonly role: Role
  readonly change: (role: Role) => void
}

export function RoleChoice({ role, change }: RoleChoiceProps) {
  return (
    <Radio.Group label="Role" value={role} onChange={(value) => isRole(value) && change(value)}>
      <Stack gap="xs" mt={6}>
        {roles.map((one) => (
          <Radio key={one.value} {...one} />
        ))}
      </Stack>
    </Radio.Group>
  )
}
