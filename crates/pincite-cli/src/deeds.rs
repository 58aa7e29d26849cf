//! What each command does, as far as it matters who may. Every command that opens a workspace is here, and opens it for this
//! and nothing else.
//!
//! Deliberately not here: which role allows a deed (`pincite_core::access`).

use crate::arguments::{
    AlarmCommand, AnswerCommand, AuditCommand, CatalogueCommand, Command, DecisionCommand, DocumentCommand,
    IncidentCommand, LayerCommand, QueueCommand, RecordCommand, RegistryCommand, ReviewCommand, SampleCommand,
    SettingsCommand, SweepCommand, ThresholdCommand, UserCommand,
};
use pincite_app::access::Deed;

/// What a command does in a workspace; `None` for those that open none, and for what concerns one's own account alone.
pub(crate) fn deed(command: &Command) -> Option<Deed> {
    Some(match command {
        Command::Init { .. } | Command::Restore(_) | Command::Locate(_) | Command::Completions { .. } => return None,
        Command::Catalogue { command } => match command {
            CatalogueCommand::Check { .. } | CatalogueCommand::Show { .. } => Deed::Look,
            CatalogueCommand::Set { .. } => Deed::ControlDocuments,
        },
        Command::Settings { command } => match command {
            SettingsCommand::Show => Deed::Look,
            SettingsCommand::Set { .. } => Deed::ChangeSettings,
        },
        Command::Audit { command } => match command {
            AuditCommand::Log(_)
            | AuditCommand::Signatures(_)
            | AuditCommand::Verify { .. }
            | AuditCommand::Export { .. } => Deed::Audit,
        },
        Command::Ingest(_) => Deed::ControlDocuments,
        Command::Document { command } => match command {
            DocumentCommand::Groups { why: Some(_), .. } => Deed::ControlDocuments,
            DocumentCommand::Groups { why: None, .. }
            | DocumentCommand::List(_)
            | DocumentCommand::Show { .. }
            | DocumentCommand::Text { .. }
            | DocumentCommand::Boxes { .. }
            | DocumentCommand::Hit { .. }
            | DocumentCommand::Sections { .. }
            | DocumentCommand::Tables { .. }
            | DocumentCommand::Render { .. } => Deed::ReadDocuments,
        },
        Command::Layer { command } => match command {
            LayerCommand::Add { .. } | LayerCommand::Default { layer: Some(_), .. } => Deed::ControlDocuments,
            LayerCommand::List { .. } | LayerCommand::Default { layer: None, .. } => Deed::ReadDocuments,
        },
        Command::Registry { command } => match command {
            RegistryCommand::Show { .. }
            | RegistryCommand::AsOf { .. }
            | RegistryCommand::History { .. }
            | RegistryCommand::Diff { .. }
            | RegistryCommand::Differences { .. }
            | RegistryCommand::Propose { .. }
            | RegistryCommand::Lag { .. }
            | RegistryCommand::Groups => Deed::ReadDocuments,
            RegistryCommand::Rates { .. } => Deed::ReadRecords,
            RegistryCommand::Add(_)
            | RegistryCommand::Indexed { .. }
            | RegistryCommand::Import { .. }
            | RegistryCommand::Approve(_)
            | RegistryCommand::Withdraw(_)
            | RegistryCommand::Archive(_)
            | RegistryCommand::Settle(_)
            | RegistryCommand::Confirm { .. } => Deed::ControlDocuments,
        },
        Command::Gate(_) => Deed::ReadDocuments,
        Command::Answer { command } => match command {
            AnswerCommand::Import { .. } => Deed::ControlDocuments,
            AnswerCommand::Show { .. } | AnswerCommand::Gate { .. } => Deed::ReadRecords,
            AnswerCommand::Label(_) => Deed::Review,
            AnswerCommand::Matrix { .. } => Deed::ReadMeasures,
        },
        Command::Sweep { command } => match command {
            SweepCommand::Run(_) => Deed::ControlDocuments,
            SweepCommand::List(_)
            | SweepCommand::Show { .. }
            | SweepCommand::Findings { .. }
            | SweepCommand::Uncited => Deed::ReadRecords,
        },
        Command::Alarm { command } => match command {
            AlarmCommand::List { .. } => Deed::ReadRecords,
            AlarmCommand::Acknowledge { .. } => Deed::ControlDocuments,
        },
        Command::Sample { command } => match command {
            SampleCommand::Plan(_) => Deed::ReadRecords,
        },
        Command::Record { command } => match command {
            RecordCommand::Import(_) => Deed::ControlDocuments,
            RecordCommand::List(_) | RecordCommand::Show { .. } | RecordCommand::Export { .. } => Deed::ReadRecords,
        },
        Command::Citation { .. } => Deed::ReadRecords,
        Command::Verify(arguments) if arguments.all => Deed::ReadRecords,
        Command::Verify(_) => Deed::ReadDocuments,
        Command::Review { command } => match command {
            ReviewCommand::List(_) => Deed::ReadRecords,
            ReviewCommand::Agreement { .. } => Deed::ReadMeasures,
        },
        Command::Queue { command } => match command {
            QueueCommand::List { unblind: true, .. }
            | QueueCommand::Next { unblind: true }
            | QueueCommand::Show { unblind: true, .. } => Deed::Unblind,
            QueueCommand::List { .. }
            | QueueCommand::Next { .. }
            | QueueCommand::Show { .. }
            | QueueCommand::Stats
            | QueueCommand::Holds => Deed::ReadRecords,
            QueueCommand::Claim { .. }
            | QueueCommand::Release { .. }
            | QueueCommand::Renew { .. }
            | QueueCommand::Hold { .. }
            | QueueCommand::Enter(_)
            | QueueCommand::Decide(_)
            | QueueCommand::Undo { .. } => Deed::Review,
        },
        Command::Decision { command } => match command {
            DecisionCommand::List(_) => Deed::ReadRecords,
            DecisionCommand::Times(_) | DecisionCommand::Events(_) => Deed::ReadMeasures,
        },
        Command::Incident { command } => match command {
            IncidentCommand::List(_) | IncidentCommand::Show { .. } => Deed::ReadMeasures,
            IncidentCommand::Keep(_) | IncidentCommand::Void(_) => Deed::Calibrate,
        },
        Command::Calibrate { .. } | Command::Workload { .. } | Command::Watch(_) => Deed::ReadMeasures,
        Command::Threshold { command } => match command {
            ThresholdCommand::Show { .. } | ThresholdCommand::Suggest { .. } => Deed::ReadMeasures,
            ThresholdCommand::Set { .. } => Deed::Calibrate,
        },
        Command::Backup { .. } | Command::Workspace { .. } => Deed::Administer,
        Command::User { command } => match command {
            UserCommand::SignIn { .. } | UserCommand::SignOut | UserCommand::WhoAmI | UserCommand::Password { .. } => {
                return None;
            }
            UserCommand::List
            | UserCommand::Add { .. }
            | UserCommand::Grant { .. }
            | UserCommand::Withdraw { .. }
            | UserCommand::Close { .. }
            | UserCommand::Open { .. }
            | UserCommand::Group { .. } => Deed::Administer,
        },
    })
}
