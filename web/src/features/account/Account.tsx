import { Stack } from "@mantine/core";
import { Fields } from "../../components/Fields";
import { PageHeader } from "../../components/PageHeader";
import { Section } from "../../components/Section";
import { useSession } from "../../session/session";
import { Password } from "./Password";
import { SecondFactor } from "./SecondFactor";

/** The settings of the signed-in member. */
export function Account() {
  const { user, tenant } = useSession();
  return (
    <Stack maw={760}>
      <PageHeader title="Your account" />
      <Section title="Profile">
        <Fields
          label="Profile"
          items={[
            ["Name", user.name],
            ["Email", user.email],
            ["Role", user.role.name],
            ["Company", tenant.name],
            ["Time zone", tenant.timeZone],
          ]}
        />
      </Section>
      <Password />
      <SecondFactor />
    </Stack>
  );
}
