# frozen_string_literal: true

require "digest"
require "json"
require_relative "summary"
require_relative "../../command"
require_relative "../../version"

module Frugal
  module Profile
    module Report
      # The profile as one page, which needs no network and runs only its own script: its policy contains the hashes of
      # its script and its style. The files of the page are in the folder `html`.
      class HTML
        TEXT = 500 # characters of a name or a command
        FOLDER = "#{__dir__}/html".freeze
        SCRIPTS = %w[dom table squarify tiles treemap timeline sections].freeze
        ESCAPES = { "&" => "&amp;", "<" => "&lt;", ">" => "&gt;", '"' => "&quot;", "'" => "&#39;" }.freeze
        private_constant :FOLDER, :SCRIPTS, :ESCAPES

        # *Cost*: about 3 µs for each call of the recording; the page has at most about 1 MB.
        #
        # @param recording [Recording]
        # @param findings [Array<Finding>]
        # @param origins [Origins]
        # @return [String]
        def self.of(recording, findings, origins: Origins.new) = new(recording, findings, origins).to_s

        def initialize(recording, findings, origins)
          @recording = recording
          @summary = Summary.new(recording, findings)
          @origins = origins
        end

        def to_s
          parts = { style: file("page.css"), script: script, data: data, policy: policy,
                    **texts.transform_values { |text| escape(text) }, counts: counts, notes: notes }
          file("page.html").gsub(/\{\{(\w+)\}\}/) { parts.fetch($1.to_sym) }
        end

        private

        def file(name) = File.read("#{FOLDER}/#{name}", encoding: Encoding::UTF_8)

        def script
          @script ||= "(() => {\n\"use strict\";\n#{SCRIPTS.map { |name| file("#{name}.js") }.join("\n")}})();\n"
        end

        def policy
          script, style = [self.script, file("page.css")].map { |text| "'sha256-#{Digest::SHA256.base64digest(text)}'" }
          "default-src 'none'; script-src #{script}; style-src #{style}; base-uri 'none'; form-action 'none'"
        end

        # The data of the page's script. `<` is escaped, since it could end the element that contains the data.
        def data = ::JSON.generate(Data.new(@recording, @summary, @origins).to_h).gsub("<", "\\u003C")

        def texts
          command = Words.visible(Readable.command(@recording.command))[0, TEXT]
          { verdict: together(@summary.verdict), command: command, title: "#{command}: frugal profile",
            version: VERSION, ended: ended, run: "frugal run -- #{command}" }
        end

        # Keeps numbers and their units on one line.
        def together(text) = text.gsub(/(?<=\d) (?=%|m?s\b|µs\b)/, "\u00A0")

        def ended
          status = @recording.status
          how = Command.ending(status) if status
          times = ["#{Words.time(@recording.wall_us)} wall time", "#{Words.time(@recording.cpu_us)} CPU time"]
          [*how, *times].join(", ")
        end

        def counts
          @recording.counts.merge(processes: @recording.processes.size).map do |name, number|
            "<div><dt>#{name}</dt><dd>#{Readable.count(number)}</dd></div>"
          end.join
        end

        def notes
          notes = @recording.notes.map { |note| Words.visible(note)[0, TEXT] }
          notes.unshift(dropped) if @recording.dropped.positive?
          notes << ignored if @summary.ignored.any?
          notes.map { |note| "<p class=\"note\">#{escape(note)}</p>" }.join
        end

        def dropped
          "There was no room for #{Words.count(@recording.dropped, "event")}: only the counts include them."
        end

        def ignored = "Ignored: #{Words.ignored(@summary.ignored, @origins)}"[0, TEXT]

        def escape(text) = text.to_s.gsub(/[&<>"']/, ESCAPES)
      end
    end
  end
end

require_relative "html/data"
