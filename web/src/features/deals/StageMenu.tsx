import { ActionIcon, Button, Group, List, Menu, Modal, Stack, Text } from "@mantine/core";
import { ChevronDown, Ellipsis } from "lucide-react";
import { useState } from "react";
import { humanize } from "../../components/format";
import { type DealState, UpdateDealDocument } from "../../gql/documents";
import { showSuccess, useGraphMutation } from "../../gql/mutation";
import type { Problem } from "../../session/auth";
import { Blocks } from "./Blocks";
import { stageActions } from "./states";

type Props = {
  deal: { id: string; dealNumber: string; state: DealState; moves: DealState[] | null };
  /** Icon only, for tight spaces. */
  small?: boolean;
};

/** The stages that funding blocks guard. */
const guardedStates: readonly DealState[] = ["PREFUNDED", "FUNDED"];

/** Changes the stage of a deal, and shows what blocks the change and how to clear it. */
export function StageMenu({ deal, small }: Props) {
  const [target, setTarget] = useState<DealState>();
  const open = deal.moves ?? [];
  if (open.length === 0) {
    return null;
  }
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          {small ? (
            <ActionIcon variant="default" size="sm" flex="none" aria-label={`Change stage of ${deal.dealNumber}`}>
              <Ellipsis size={14} aria-hidden />
            </ActionIcon>
          ) : (
            <Button
              variant="default"
              rightSection={<ChevronDown size={14} aria-hidden />}
              aria-label={`Change stage of ${deal.dealNumber}`}
            >
              Change stage
            </Button>
          )}
        </Menu.Target>
        <Menu.Dropdown>
          {open.map((state) => (
            <Menu.Item key={state} onClick={() => setTarget(state)}>
              {stageActions[state]}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      <Modal
        opened={target !== undefined}
        onClose={() => setTarget(undefined)}
        closeButtonProps={{ "aria-label": "Close" }}
        title={target ? `${stageActions[target]}: ${deal.dealNumber}` : ""}
      >
        {target && <ChangeStage deal={deal} to={target} close={() => setTarget(undefined)} />}
      </Modal>
    </>
  );
}

function ChangeStage({ deal, to, close }: { deal: Props["deal"]; to: DealState; close: () => void }) {
  const [problem, setProblem] = useState<Problem>();
  const [update, busy] = useGraphMutation(UpdateDealDocument);
  const changeStage = async () => {
    const { data, problem: failure } = await update({ id: deal.id, input: { state: to } });
    setProblem(failure);
    if (!failure) {
      showSuccess(`${deal.dealNumber} moved to ${humanize(data?.updateDeal?.state ?? to)}.`);
      close();
    }
  };
  return (
    <Stack>
      <Text>
        Changes the stage from {humanize(deal.state)} to {humanize(to)}.
      </Text>
      {guardedStates.includes(to) && <Blocks dealId={deal.id} to={to} onNavigate={close} />}
      <div role="alert">{problem && <StageError problem={problem} />}</div>
      <Group justify="flex-end">
        <Button variant="default" onClick={close} data-autofocus>
          Cancel
        </Button>
        <Button
          loading={busy}
          color={to === "DEFAULTED" || to === "WITHDRAWN" ? "red.9" : "brand"}
          onClick={() => void changeStage()}
        >
          {stageActions[to]}
        </Button>
      </Group>
    </Stack>
  );
}

/** Shows why a stage change failed, with each block by name. */
function StageError({ problem }: { problem: Problem }) {
  return (
    <Stack gap="xs">
      <Text fw={600}>{problem.message}</Text>
      <List spacing="xs">
        {problem.details.map((d) => (
          <List.Item key={d.path + d.message}>
            <Text component="span" fw={600}>
              {humanize(d.path.replace(/^blocks\./, "").replace(/([a-z])([A-Z])/g, "$1_$2"))}:
            </Text>{" "}
            {d.message}
          </List.Item>
        ))}
      </List>
      {problem.requestId && (
        <Text size="sm" c="dimmed">
          Request {problem.requestId}
        </Text>
      )}
    </Stack>
  );
}
