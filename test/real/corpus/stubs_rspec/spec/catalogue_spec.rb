# frozen_string_literal: true

require "tmpdir"
require "fileutils"
require_relative "../lib/catalogue"

RSpec.describe Catalogue do
  around do |example|
    Dir.mktmpdir do |folder|
      @folder = folder
      FileUtils.mkdir_p("#{folder}/a/b")
      %w[one.txt a/two.txt a/b/three.txt].each { |name| File.write("#{folder}/#{name}", name) }
      example.run
    end
  end

  subject(:catalogue) { described_class.new(@folder) }

  it "is stubbed for one pattern, and calls the real method for the others" do
    allow(Dir).to receive(:glob).and_call_original
    allow(Dir).to receive(:glob).with("#{@folder}/*.txt").and_return(["stubbed"])
    expect(catalogue.all.size).to eq 3
    expect(catalogue.top).to eq ["stubbed"]
  end

  it "calls Dir.[]" do
    expect(Dir).to receive(:[]).with("#{@folder}/**/*.txt").and_call_original
    expect(catalogue.by_brackets.size).to eq 3
  end

  it "calls a wrapper of the real method" do
    allow(Dir).to receive(:glob).and_wrap_original { |original, *arguments| original.call(*arguments).reverse }
    expect(catalogue.all).to eq Dir[File.join(@folder, "**/*.txt")].reverse
  end

  it "calls the real method again" do
    expect(catalogue.names).to contain_exactly("one", "two", "three")
  end
end
