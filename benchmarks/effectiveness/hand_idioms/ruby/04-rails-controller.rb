class LighthousesController < ApplicationController
  before_action :set_lighthouse, only: %i[show edit update destroy]

  def index
    @lighthouses = Lighthouse.all
  end

  def create
    @lighthouse = Lighthouse.new(lighthouse_params)
    if @lighthouse.save
      redirect_to @lighthouse, notice: 'Lighthouse was successfully created.'
    else
      render :new
    end
  end

  private

  def set_lighthouse
    @lighthouse = Lighthouse.find(params[:id])
  end
end
